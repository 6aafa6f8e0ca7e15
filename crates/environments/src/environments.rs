//! The whole way from a solution's folder to an environment.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use slopbench_digest::Sha256;
use slopbench_sandbox::Solution;
use slopbench_sandbox::session::System;

use crate::build::{Builder, Environment};
use crate::bytecode;
use crate::compile::{self, BuildPlan, BuiltSolution, Compilation};
use crate::index::PackageIndex;
use crate::interpreter::FoundInterpreter;
use crate::requirements::Requirements;
use crate::resolve::{ChosenPackage, Resolver};
use crate::room::{Room, ScratchFolder};
use crate::sdist::SourceBuilder;
use crate::stop::Stop;
use crate::tool::{self, PinnedTool, ToolEnd};
use crate::wheels::WheelFolder;
use crate::{EnvironmentRecord, EnvironmentStore, Error, LockedPackage, Resolution};

/// Environments for the solutions of one back end.
///
/// Nothing is asked, fetched or written before a solution declares something.
pub struct Environments<'a> {
    store: EnvironmentStore,
    system: System,
    hide: Vec<PathBuf>,
    index: PackageIndex,
    begin: &'a (dyn Fn(&str) + Sync),
    interpreters: Arc<Mutex<Vec<(System, FoundInterpreter)>>>,
    /// What programs said of their versions.
    toolchains: Mutex<BTreeMap<String, String>>,
}

/// What a solution's requirements became.
#[derive(Debug)]
pub struct PreparedEnvironment {
    /// For the record.
    pub record: EnvironmentRecord,
    /// Absent where it is refused.
    pub environment: Option<Environment>,
}

impl<'a> Environments<'a> {
    /// Environments that are kept in `store` and built in sessions of `system`, in which no path of `hide` is seen. `begin`
    /// is told, in a few words, before something takes a while.
    pub fn new(
        store: EnvironmentStore,
        system: System,
        hide: Vec<PathBuf>,
        index: PackageIndex,
        begin: &'a (dyn Fn(&str) + Sync),
    ) -> Self {
        Self { store, system, hide, index, begin, interpreters: Arc::default(), toolchains: Mutex::default() }
    }

    /// The same for another back end.
    #[must_use]
    pub fn in_system(&self, system: System) -> Self {
        let Self { store, hide, index, begin, interpreters, .. } = self;
        let (store, hide, index, interpreters) = (store.clone(), hide.clone(), index.clone(), Arc::clone(interpreters));
        Self { store, system, hide, index, begin: *begin, interpreters, toolchains: Mutex::default() }
    }

    /// Reads what the solution in `tree` declares, locks it and builds it. `None` where it declares nothing.
    ///
    /// # Errors
    ///
    /// What is not the solution's fault.
    pub fn prepare(&self, tree: &Path) -> Result<Option<PreparedEnvironment>, Error> {
        match Requirements::of(tree) {
            Ok(requirements) if requirements.0.is_empty() => Ok(None),
            declared => self.prepared(declared).map(Some),
        }
    }

    /// The same with packages `beside`, which `by` needs: those that the solution does not declare itself. Where `kept` is a record of
    /// the same requirements for the same interpreter, it is opened, and no index is asked.
    ///
    /// # Errors
    ///
    /// What is not the solution's fault.
    pub fn prepare_beside(
        &self,
        tree: &Path,
        (by, beside): (&str, &[&str]),
        kept: Option<EnvironmentRecord>,
    ) -> Result<PreparedEnvironment, Error> {
        let declared = Requirements::of(tree).and_then(|declared| declared.with(by, beside));
        let lines = declared.as_ref().map_or_else(|_| Vec::new(), Requirements::lines);
        match kept {
            Some(record) if record.requirements == lines && self.serves(&record)? => self.open(record),
            _ => self.prepared(declared),
        }
    }

    fn prepared(&self, declared: Result<Requirements, Stop>) -> Result<PreparedEnvironment, Error> {
        let (lines, requirements) = match declared {
            Ok(requirements) => (requirements.lines(), Ok(requirements)),
            Err(Stop::Refused(sentence)) => (Vec::new(), Err(sentence)),
            Err(Stop::Failed(error)) => return Err(error),
        };
        let here = self.interpreter()?;
        let uv = PinnedTool::uv()?;
        let record =
            |resolution| EnvironmentRecord::new(here.interpreter.clone(), uv.label(), lines.clone(), resolution);
        let refused = |sentence: String| {
            let record = record(Resolution::Refused(sentence));
            Ok(PreparedEnvironment { record, environment: None })
        };
        let requirements = match requirements {
            Ok(requirements) => requirements,
            Err(sentence) => return refused(sentence),
        };
        let done = self.lock(&uv, &here, &requirements).and_then(|packages| {
            let record = record(Resolution::Locked(packages.into_iter().collect()));
            let environment = Some(self.build(&uv, &record, &here)?);
            Ok(PreparedEnvironment { record, environment })
        });
        match done {
            Err(Stop::Refused(sentence)) => refused(sentence),
            Err(Stop::Failed(error)) => Err(error),
            Ok(prepared) => Ok(prepared),
        }
    }

    /// The environment of a record of before. Its wheels are fetched where they are not in the cache.
    ///
    /// # Errors
    ///
    /// [`Error::OtherInterpreter`] if the record is for another one, and what is not the solution's fault.
    pub fn open(&self, record: EnvironmentRecord) -> Result<PreparedEnvironment, Error> {
        if let Resolution::Refused(_) = record.resolution {
            return Ok(PreparedEnvironment { record, environment: None });
        }
        let here = self.interpreter()?;
        if !record.interpreter.serves(&here.interpreter) {
            let (locked, here) = (record.interpreter.to_string(), here.interpreter.to_string());
            return Err(Error::OtherInterpreter { locked, here });
        }
        self.wheels().fetch_locked(&self.index, record.packages().map(|(_, package)| package))?;
        match self.build(&PinnedTool::uv()?, &record, &here) {
            Ok(environment) => Ok(PreparedEnvironment { record, environment: Some(environment) }),
            Err(Stop::Failed(error)) => Err(error),
            // It was there, or there would be no lock.
            Err(Stop::Refused(sentence)) => Err(Error::Build(sentence)),
        }
    }

    /// Whether what a record of before has locked can be installed for the interpreter that solutions find.
    ///
    /// # Errors
    ///
    /// [`Error::Interpreter`] if that is none.
    pub fn serves(&self, record: &EnvironmentRecord) -> Result<bool, Error> {
        Ok(record.interpreter.serves(&self.interpreter()?.interpreter))
    }

    /// The environment of these lines of a `requirements.txt`, as they were resolved when they were first asked for here: for
    /// what is run beside solutions, so that it is the same for all of them.
    ///
    /// # Errors
    ///
    /// What is not the lines' fault.
    pub fn resolve_once(&self, lines: &[String]) -> Result<PreparedEnvironment, Error> {
        let here = self.interpreter()?.interpreter;
        let key = format!("{here}\n{}", lines.join("\n"));
        let path = self.store.locks().join(Sha256::of(key.as_bytes()).short() + ".json");
        if let Ok(bytes) = fs::read(&path) {
            let record: EnvironmentRecord = serde_json::from_slice(&bytes)?;
            return self.open(record);
        }
        let tree = ScratchFolder::new(&self.store.scratch())?;
        let file = tree.path().join("requirements.txt");
        fs::write(&file, lines.join("\n")).map_err(Error::io(&file))?;
        let Some(prepared) = self.prepare(tree.path())? else {
            return Err(Error::Build("no requirements were given".to_owned()));
        };
        if prepared.environment.is_some() {
            let (folder, beside) = (self.store.locks(), tree.path().join("lock"));
            fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
            fs::write(&beside, prepared.record.to_bytes()?).map_err(Error::io(&beside))?;
            fs::rename(&beside, &path).map_err(Error::io(&path))?;
        }
        Ok(prepared)
    }

    /// Builds the solution in `tree`, anew each time.
    ///
    /// # Errors
    ///
    /// What is not the solution's fault, and [`Error::Sandbox`] if what no program may see lies there: a copy would show it.
    pub fn compile(&self, tree: &Path, plan: &BuildPlan) -> Result<Compilation, Error> {
        self.refuse_hidden(tree)?;
        compile::compile(&self.room(&self.store.scratch()), tree, plan)
    }

    /// A copy of the Python solution in `tree` with the bytecode of its modules. `None` where there is nothing to be gained, and
    /// where it cannot be made: nothing but time depends on it.
    pub fn bytecode(&self, tree: &Path) -> Option<BuiltSolution> {
        self.refuse_hidden(tree).ok()?;
        bytecode::compile(&self.room(&self.store.scratch()), tree)
    }

    fn refuse_hidden(&self, tree: &Path) -> Result<(), Error> {
        let solution = Solution { dir: tree.to_owned(), hide: self.hide.clone(), ..Solution::default() };
        Ok(solution.settle().map(drop)?)
    }

    /// The first line of what a toolchain says of its version, where solutions are built.
    ///
    /// # Errors
    ///
    /// [`Error::Toolchain`] if it is not there.
    pub fn toolchain(&self, argv: &[&str]) -> Result<String, Error> {
        let mut known = self.toolchains.lock().unwrap_or_else(PoisonError::into_inner);
        let key = argv.join(" ");
        if let Some(version) = known.get(&key) {
            return Ok(version.clone());
        }
        let version = compile::version(&self.room(&self.store.scratch()), argv)?;
        Ok(known.entry(key).or_insert(version).clone())
    }

    /// Runs `tool` with `arguments` on `files`, texts by path, in a session without a network that sees nothing else. They lie in
    /// [`TOOL_FILES`](crate::TOOL_FILES); what is read of its result is [`TOOL_OUTPUT`](crate::TOOL_OUTPUT). It is fetched where it is
    /// not in the cache.
    ///
    /// # Errors
    ///
    /// [`Error::Index`] if it cannot be fetched, and what goes wrong on this machine. How the program ends is no error.
    pub fn inspect(
        &self,
        tool: &PinnedTool,
        files: &BTreeMap<String, String>,
        arguments: &[&str],
    ) -> Result<ToolEnd, Error> {
        let program = tool.program(&self.store.tools(), &self.wheels(), &self.index)?;
        tool::inspect(&self.room(&self.store.scratch()), &program, files, arguments)
    }

    fn lock(
        &self,
        uv: &PinnedTool,
        here: &FoundInterpreter,
        requirements: &Requirements,
    ) -> Result<Vec<(String, LockedPackage)>, Stop> {
        (self.begin)("resolving a solution's requirements");
        let scratch = ScratchFolder::new(&self.store.scratch())?;
        let (program, wheels) = (uv.program(&self.store.tools(), &self.wheels(), &self.index)?, self.wheels());
        let resolver = Resolver {
            uv: &program,
            index: &self.index,
            interpreter: &here.interpreter,
            cache: self.store.metadata(),
            scratch: scratch.path(),
        };
        let place = self.store.scratch();
        let builder = SourceBuilder {
            room: self.room(&place),
            uv: (&program, uv.label()),
            mirror: self.index.mirror(),
            index: &self.index,
            interpreter: &here.interpreter,
            wheels: &wheels,
            kept: self.store.sources(),
            requirements,
        };
        let chosen = match resolver.resolve(requirements)? {
            Some(chosen) => chosen,
            None => {
                (self.begin)("resolving a solution's requirements, with sources");
                builder.resolve()?
            }
        };
        let (sources, ready): (Vec<_>, Vec<_>) = chosen.into_iter().partition(ChosenPackage::is_source);
        let wanted: Vec<_> = ready.iter().map(|package| (package.file.clone(), package.sha256)).collect();
        let digests = wheels.fetch(&self.index, &wanted)?;
        let locked = ready.into_iter().zip(digests).map(|(chosen, sha256)| {
            let ChosenPackage { name, version, file, .. } = chosen;
            (name, LockedPackage { version, file, sha256, built_from: None })
        });
        let mut locked: Vec<_> = locked.collect();
        for source in sources {
            (self.begin)(&format!("building {} {} from its source", source.name, source.version));
            locked.push((source.name.clone(), builder.wheel(&source)?));
        }
        Ok(locked)
    }

    fn build(&self, uv: &PinnedTool, record: &EnvironmentRecord, here: &FoundInterpreter) -> Result<Environment, Stop> {
        let scratch = self.store.scratch();
        let builder = Builder {
            room: self.room(&scratch),
            wheels: &self.wheels(),
            uv: &|| uv.program(&self.store.tools(), &self.wheels(), &self.index),
            uv_label: uv.label(),
            built: &self.store.built(),
        };
        let count = record.packages().count();
        builder.environment(record, here, &|| (self.begin)(&format!("building an environment, packages: {count}")))
    }

    fn interpreter(&self) -> Result<FoundInterpreter, Error> {
        let mut known = self.interpreters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known.iter().find(|(system, _)| *system == self.system) {
            return Ok(found.clone());
        }
        let found = FoundInterpreter::ask(&self.room(&self.store.scratch()))?;
        known.push((self.system.clone(), found.clone()));
        Ok(found)
    }

    fn room<'b>(&'b self, scratch: &'b Path) -> Room<'b> {
        Room { system: &self.system, hide: &self.hide, scratch }
    }

    fn wheels(&self) -> WheelFolder {
        self.store.wheels()
    }
}
