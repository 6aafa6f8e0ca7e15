//! A service on the machine itself, on a port that was free a moment ago.

use std::mem;
use std::net::{Ipv4Addr, TcpListener};

use super::life::Life;
use super::work_folder::WorkFolder;
use crate::connections::Connections;
use crate::record::ServiceTotal;
use crate::{Error, Peer, ProgramEnd, RawResponse, RequestBatch, Service, Solution};

/// A service and its program, if it lives.
pub(super) struct Serving<'a> {
    service: &'a Service,
    folder: &'a WorkFolder,
    solution: &'a Solution,
    port: u16,
    life: Result<Life<'a>, ProgramEnd>,
    record: ServiceTotal,
}

impl<'a> Serving<'a> {
    pub(super) fn start(service: &'a Service, folder: &'a WorkFolder, solution: &'a Solution) -> Result<Self, Error> {
        let record = ServiceTotal::default();
        let mut serving = Self { service, folder, solution, port: 0, life: Err(ProgramEnd::Stopped), record };
        serving.begin()?;
        Ok(serving)
    }

    /// Starts the program, each time on another port: the one before may still be taken by what is left of its connections.
    fn begin(&mut self) -> Result<(), Error> {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        self.port = free.map_err(|error| Error::setup("find a free port", error))?.port();
        let limits = self.record.left(&self.service.task.limits);
        let told = self.service.on(self.port);
        self.life = Life::start(&told, &self.service.task.stdin, &limits, self.folder, self.solution)?;
        Ok(())
    }

    /// Ends the program, if it lives, for this reason.
    fn end(&mut self, stopped: Option<ProgramEnd>) -> Result<ProgramEnd, Error> {
        let end = match mem::replace(&mut self.life, Err(ProgramEnd::Stopped)) {
            Ok(life) => life.finish(stopped, &mut self.record)?,
            Err(end) => end,
        };
        self.life = Err(end);
        Ok(end)
    }

    /// Stops the service.
    pub(super) fn stop(mut self) -> Result<(ProgramEnd, ServiceTotal), Error> {
        let end = self.end(Some(ProgramEnd::Stopped))?;
        Ok((end, self.record))
    }
}

impl Peer for Serving<'_> {
    fn exchange(&mut self, exchange: &RequestBatch) -> Result<Option<Vec<RawResponse>>, Error> {
        let most = self.service.task.limits.output;
        let connections = Connections::start(exchange.clone(), self.port, most);
        let mut connections = connections.map_err(|errno| Error::setup("connect to the service", errno))?;
        loop {
            let Ok(life) = &mut self.life else { return Ok(None) };
            let fds: Vec<_> = connections.fds().collect();
            if let Some(stopped) = life.step(&fds, Some(connections.until()))? {
                self.end(stopped)?;
                return Ok(None);
            }
            if let Some(answers) = connections.step() {
                return Ok(Some(answers));
            }
        }
    }

    fn restart(&mut self) -> Result<bool, Error> {
        if self.life.is_err() || self.end(Some(ProgramEnd::Stopped))? != ProgramEnd::Stopped {
            return Ok(false);
        }
        self.begin()?;
        Ok(true)
    }
}
