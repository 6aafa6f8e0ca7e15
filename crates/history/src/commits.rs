//! Which commits change source files.

use gix::ObjectId;
use gix::objs::Kind;
use rayon::prelude::*;

use crate::repository::at;
use crate::{Error, GitRepository, trees};

/// A commit, and what of it is measured.
#[derive(Clone, Copy)]
pub(crate) struct Commit {
    pub(crate) id: ObjectId,
    /// The measured folder's tree, where the commit has that folder.
    pub(crate) tree: Option<ObjectId>,
}

/// The first-parent line of a revision.
pub(crate) struct Line {
    /// From the oldest to the revision.
    pub(crate) commits: Vec<Commit>,
    /// Whether the line ends where a shallow clone was cut off.
    pub(crate) shallow: bool,
}

/// Follows first parents from `revision` to the commit that has none, or none that was cloned.
pub(crate) fn first_parents(repository: &GitRepository, revision: &str, below: &str) -> Result<Line, Error> {
    let reader = repository.reader();
    let boundary = reader.shallow_boundary()?;
    let mut line = Line { commits: Vec::new(), shallow: false };
    let mut next = Some(reader.resolve(revision, Kind::Commit)?);
    while let Some(id) = next {
        let commit = reader.commit(id)?;
        let tree = commit.tree_id().map_err(at(id))?.detach();
        line.commits.push(Commit { id, tree: reader.subtree(tree, below)? });
        line.shallow = boundary.contains(&id);
        next = if line.shallow { None } else { commit.parent_ids().next().map(gix::Id::detach) };
    }
    line.commits.reverse();
    Ok(line)
}

/// The commits whose source files are not those of the commit before. What the first has counts as changed.
pub(crate) fn touching(repository: &GitRepository, commits: &[Commit]) -> Result<Vec<Commit>, Error> {
    // Neighbours share most of their trees, so each thread gets a run of them and one cache for it.
    let run = commits.len().div_ceil(4 * rayon::current_num_threads()).max(1);
    let touches = commits.par_chunks(run).enumerate().map(|(index, chunk)| {
        let reader = repository.reader();
        let before = (index * run).checked_sub(1).and_then(|last| commits.get(last));
        let mut tree = before.and_then(|commit| commit.tree);
        let mut touching = Vec::new();
        for commit in chunk {
            if trees::sources_differ(&reader, tree, commit.tree)? {
                touching.push(*commit);
            }
            tree = commit.tree;
        }
        Ok(touching)
    });
    Ok(touches.collect::<Result<Vec<_>, Error>>()?.concat())
}

/// Up to `count` places of `length`, as evenly spaced as whole numbers allow, the first and the last among them; the last
/// alone if only one is wanted.
pub(crate) fn evenly(length: usize, count: usize) -> Vec<usize> {
    let (Some(last), Some(steps)) = (length.checked_sub(1), count.min(length).checked_sub(1)) else {
        return Vec::new();
    };
    match steps {
        0 => vec![last],
        // Rounded to the nearest, halves up.
        _ => (0..=steps).map(|step| (2 * step * last + steps) / (2 * steps)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::evenly;

    #[test]
    fn samples_hold_both_ends_and_no_place_twice() {
        assert_eq!(evenly(5000, 3), [0, 2500, 4999]);
        assert_eq!(evenly(10, 4), [0, 3, 6, 9]);
        assert_eq!(evenly(3, 30), [0, 1, 2]);
        assert_eq!(evenly(7, 1), [6]);
        assert_eq!(evenly(0, 30), [0; 0]);
    }

    proptest::proptest! {
        #[test]
        fn steps_differ_by_at_most_one(length in 1..10_000_usize, count in 2..100_usize) {
            let places = evenly(length, count);
            proptest::prop_assert_eq!(places.len(), count.min(length));
            let steps: Vec<_> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let (least, most) = (steps.iter().min(), steps.iter().max());
            proptest::prop_assert!(most.zip(least).is_none_or(|(most, least)| *least > 0 && most - least <= 1));
        }
    }
}
