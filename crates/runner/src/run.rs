//! Carrying out a plan: every unit's missing stages, one after the other.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{
    Assignment, Budget, Coordinator, Error, Executor, Instrument, Lease, RunEvent, RunStore, Stage, Study, Watch,
    store::check_name,
};

/// How often a stage may be put aside before it is given up: each time may have been paid.
const MOST_ATTEMPTS: usize = 5;

/// A run that can be carried out.
pub struct Run<'a, S: Study> {
    /// What is to be done.
    pub study: &'a S,
    /// What is done.
    pub store: &'a RunStore,
    /// What stages are carried out with.
    pub instrument: &'a Instrument,
    /// Whether it may be another one than planned.
    pub accept_difference: bool,
    /// What it may cost.
    pub budget: Budget,
    /// Told of every stage.
    pub watch: &'a dyn Watch,
}

/// How a run ended.
#[derive(Debug)]
pub struct RunEnd<E> {
    /// Why no further stage was begun.
    pub stopped: Option<String>,
    /// What failed, by unit.
    pub broken: Vec<(String, E)>,
}

impl<S: Study> Run<'_, S> {
    /// Has `executor` do every stage that is not there.
    ///
    /// # Errors
    ///
    /// [`Error::Instrument`] if the instrument is not the planned one, and those of the store. What goes wrong in a
    /// unit of this process is in the [`RunEnd`]; what is not done by others is not in the store.
    pub fn carry_out(&self, _: &Coordinator, executor: &dyn Executor) -> Result<RunEnd<S::Error>, Error> {
        self.admit()?;
        self.store.collect_garbage()?;
        self.budget.spend(self.store.spent()?);
        let (stopped, broken) = (Mutex::new(None), Mutex::new(Vec::new()));
        executor.execute(&self.study.units(), &|unit| match self.do_unit(unit) {
            Ok(None) => {}
            Ok(Some(reason)) => *lock(&stopped) = Some(reason),
            Err(error) => lock(&broken).push((unit.to_owned(), error)),
        });
        self.store.collect_garbage()?;
        Ok(RunEnd { stopped: into_inner(stopped), broken: into_inner(broken) })
    }

    /// Does the missing stages of one unit, in a process that need not be the coordinator's. Gives the reason where it stopped
    /// before the unit's end.
    ///
    /// # Errors
    ///
    /// [`Error::Leased`] if another process does it, [`Error::NoUnit`] if there is none, [`Error::Instrument`] if the
    /// instrument is not the planned one, and the study's own.
    pub fn carry_out_unit(&self, unit: &str) -> Result<Option<String>, S::Error> {
        if !self.study.units().iter().any(|name| name == unit) {
            return Err(Error::NoUnit(unit.to_owned()).into());
        }
        self.store.admit(self.instrument, false)?;
        self.do_unit(unit)
    }

    /// Refuses an instrument that is not the planned one, unless it may be another.
    ///
    /// # Errors
    ///
    /// [`Error::Instrument`] names each part that differs.
    pub fn admit(&self) -> Result<(), Error> {
        self.store.admit(self.instrument, self.accept_difference)
    }

    /// Takes stages out of their places, so that they are done again.
    ///
    /// # Errors
    ///
    /// [`Error::Leased`] if another process is at work on one of their units.
    pub fn discard(&self, _: &Coordinator, stages: &[(String, String)]) -> Result<(), Error> {
        self.admit()?;
        for (unit, stage) in stages {
            let lease = self.store.lease(unit)?;
            self.store.discard(&lease, unit, stage)?;
        }
        Ok(())
    }

    fn do_unit(&self, unit: &str) -> Result<Option<String>, S::Error> {
        let end = self.do_stages(unit);
        self.watch.tell(
            unit,
            &match &end {
                Ok(None) => RunEvent::Finished,
                Ok(Some(reason)) => RunEvent::Stopped(reason),
                Err(error) => RunEvent::Broke(error),
            },
        );
        end
    }

    fn do_stages(&self, unit: &str) -> Result<Option<String>, S::Error> {
        check_name(unit)?;
        if unit.contains('/') {
            return Err(Error::Name(unit.to_owned()).into());
        }
        let lease = self.store.lease(unit)?;
        while let Some(stage) = self.study.next(self.store, unit)? {
            check_name(&stage.name)?;
            if self.store.stage(unit, &stage.name)?.is_some() {
                return Err(Error::Again { unit: unit.to_owned(), stage: stage.name }.into());
            }
            if self.store.ended(unit, &stage.name)?.is_none() {
                // One that has ended is paid.
                if let Some(reason) = self.budget.exhausted().filter(|_| stage.is_paid) {
                    return Ok(Some(reason));
                }
                self.do_stage(&lease, unit, &stage)?;
            }
            self.settle(&lease, unit, &stage.name)?;
        }
        self.store.discard_scratch(&lease, unit)?;
        Ok(None)
    }

    fn do_stage(&self, lease: &Lease, unit: &str, stage: &Stage) -> Result<(), S::Error> {
        let attempts = self.store.attempts(unit, &stage.name)?;
        if let Some(last) = attempts.get(MOST_ATTEMPTS - 1) {
            let (unit, stage, folder) = (unit.to_owned(), stage.name.clone(), last.with_file_name(""));
            return Err(Error::GivenUp { unit, stage, attempts: attempts.len(), folder }.into());
        }
        let _machine = stage.is_exclusive.then(|| self.store.have_machine()).transpose()?;
        self.watch.tell(unit, &RunEvent::Began { stage: &stage.name });
        let scratch = self.store.scratch(lease, unit)?;
        let assignment = Assignment { store: self.store, unit, stage: &stage.name, scratch: &scratch };
        let ended = self.study.carry_out(&assignment)?;
        self.store.keep_ended(&ended, unit, &stage.name, self.instrument)?;
        self.budget.spend(ended.spent);
        Ok(())
    }

    fn settle(&self, lease: &Lease, unit: &str, stage: &str) -> Result<(), S::Error> {
        let scratch = self.store.scratch(lease, unit)?;
        let assignment = Assignment { store: self.store, unit, stage, scratch: &scratch };
        let gone = || Error::edited(&self.store.root.join("ended").join(unit).join(stage), "it was removed");
        let ended = self.store.ended(unit, stage)?.ok_or_else(gone)?;
        let settled = self.study.settle(&assignment, &ended)?;
        self.store.keep(&settled, unit, stage)?;
        self.watch.tell(unit, &RunEvent::Ended { stage, outcome: &settled.outcome });
        match settled.unanswered {
            None => Ok(()),
            Some(reason) => Err(Error::Unanswered { unit: unit.to_owned(), stage: stage.to_owned(), reason }.into()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded is whole between any two statements.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
