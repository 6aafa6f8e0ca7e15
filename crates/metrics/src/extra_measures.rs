//! What Python's own syntax tree says of a file beyond its lines.

use crate::measurement::{Callable, Measures};
use crate::python::{Import, Program};
use crate::radon::{self, Block, Radon, Raw};
use crate::wrappers::{self, SingleUse, TrivialWrapper, Wrappers};
use crate::{block_depth, cognitive};

/// The figures of one file.
pub(crate) struct ExtraMeasures {
    radon: Radon,
    pub(crate) blocks: Vec<Block<()>>,
    /// By line.
    callables: Vec<ListedCallable>,
    pub(crate) trivial_wrappers: Vec<TrivialWrapper<()>>,
    pub(crate) single_use: Vec<SingleUse<()>>,
    pub(crate) imports: Vec<Import>,
}

struct ListedCallable {
    line: u32,
    cognitive: u32,
    nesting: u32,
}

impl ExtraMeasures {
    /// Everything about one program, whose lines are counted.
    pub(crate) fn of_program(program: &Program, raw: Raw) -> Self {
        let (radon, blocks) = radon::of_program(program, raw);
        let listed = program.listed();
        let mut callables: Vec<_> = listed
            .iter()
            .map(|listed| ListedCallable {
                line: listed.line,
                cognitive: cognitive::of_function(listed.function),
                nesting: block_depth::of_function(listed.function),
            })
            .collect();
        callables.sort_by_key(|callable| callable.line);
        ExtraMeasures {
            radon,
            blocks,
            callables,
            trivial_wrappers: wrappers::trivial(program),
            single_use: wrappers::single_use(program, &listed),
            imports: program.imports(),
        }
    }

    /// Adds what is known of the file and its callables to their figures.
    pub(crate) fn complete(&self, measures: &mut Measures, callables: &mut [Callable<()>]) {
        measures.radon = Some(self.radon);
        measures.wrappers = Some(Wrappers::of(&self.trivial_wrappers, &self.single_use));
        callables.iter_mut().for_each(|callable| self.complete_callable(callable));
    }

    /// A `def` is the only one in its line, so lines tell which is which.
    fn complete_callable(&self, callable: &mut Callable<()>) {
        let line = callable.start_line;
        let listed = self.callables.binary_search_by_key(&line, |listed| listed.line);
        let listed = listed.ok().and_then(|index| self.callables.get(index));
        callable.cognitive = listed.map(|listed| listed.cognitive);
        callable.nesting = listed.map(|listed| listed.nesting);
        let block = self.blocks.binary_search_by_key(&line, |block| block.line);
        callable.radon_cc = block.ok().and_then(|index| self.blocks.get(index)).map(|block| block.complexity);
    }
}
