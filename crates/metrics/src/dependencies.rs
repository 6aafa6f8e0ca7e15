//! Which modules import which, and how far a change may reach.
//!
//! A module is a measured file (`__init__.py` is its package), an import an edge to the measured module that it names;
//! how names become files is said in `python/imports.rs`.
//!
//! cyclic mass = modules that can reach themselves through another one / modules
//!
//! propagation cost = pairs (a, b) of modules where a can reach b, each reaching itself / modules²
//!
//! Source: A. MacCormack, J. Rusnak and C. Y. Baldwin, "Exploring the Structure of Complex Software Designs",
//! Management Science 52(7), 2006: propagation cost is the density of the visibility matrix; cyclic groups as in their
//! "Hidden Structure: Using Network Methods to Map System Architecture", Research Policy 43(8), 2014.

use std::collections::BTreeSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use serde::{Deserialize, Serialize};

use crate::python::{Import, PYTHON, imports};
use crate::sum::ratio;

/// The modules of one language and their imports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependencies {
    /// The language.
    pub language: String,
    /// Modules, the nodes of the graph.
    pub modules: u64,
    /// Pairs of different modules, one of which imports the other: the edges.
    pub imports: u64,
    /// Modules that lie on a cycle of imports.
    pub cyclic_modules: u64,
    /// `cyclic_modules / modules`.
    pub cyclic_mass: f64,
    /// The share of all pairs of modules in which the first depends on the second, directly or not, or is the second.
    pub propagation_cost: f64,
    /// Every edge, by the paths of its ends.
    pub edges: Vec<Edge>,
}

/// One module imports another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// Path of the importing file.
    pub from: String,
    /// Path of the imported file.
    pub to: String,
}

impl Dependencies {
    /// Of these Python files, each with what it imports; `None` where there are none. The files are in the folder of
    /// the package `outer_packages`, if that is not empty.
    pub(crate) fn of_python(outer_packages: &str, modules: &[(String, Vec<Import>)]) -> Option<Self> {
        let edges = imports::edges(outer_packages, modules);
        let paths: Vec<_> = modules.iter().map(|(path, _)| path.as_str()).collect();
        (!modules.is_empty()).then(|| Dependencies::new(PYTHON.name, &paths, &edges))
    }

    /// Of these modules, by path, and edges between them, by index. No edge goes from a module to itself.
    fn new(language: &str, modules: &[&str], edges: &BTreeSet<(u32, u32)>) -> Self {
        let mut graph = DiGraph::<(), ()>::with_capacity(modules.len(), edges.len());
        for _ in modules {
            graph.add_node(());
        }
        graph.extend_with_edges(edges.iter().copied());
        // Unlike Tarjan's, petgraph's version of Kosaraju's algorithm does not recur.
        let components = kosaraju_scc(&graph);
        let cyclic = components.iter().map(Vec::len).filter(|&size| size > 1).sum::<usize>();
        let count = modules.len() as f64;
        let path = |index: u32| modules.get(index as usize).map(|path| (*path).to_owned()).unwrap_or_default();
        Dependencies {
            language: language.to_owned(),
            modules: modules.len() as u64,
            imports: edges.len() as u64,
            cyclic_modules: cyclic as u64,
            cyclic_mass: ratio(cyclic as f64, count),
            propagation_cost: ratio(reachable_pairs(&graph, &components) as f64, count * count),
            edges: edges.iter().map(|&(from, to)| Edge { from: path(from), to: path(to) }).collect(),
        }
    }
}

/// Pairs (a, b) of nodes where a path leads from a to b, be it of length 0. Each component comes after those that it can
/// reach.
///
/// Targets are taken 64 at a time, one bit for each, so that memory grows with the graph and not with its square.
fn reachable_pairs(graph: &DiGraph<(), ()>, components: &[Vec<NodeIndex>]) -> u64 {
    let successors = successors(graph, components);
    let mut pairs = 0;
    for first in (0..graph.node_count()).step_by(64) {
        let bit = |node: &NodeIndex| node.index().checked_sub(first).filter(|&bit| bit < 64).map_or(0, |bit| 1 << bit);
        let mut reached: Vec<u64> = Vec::with_capacity(components.len());
        for (component, successors) in components.iter().zip(&successors) {
            let own = component.iter().fold(0, |bits, node| bits | bit(node));
            let bits = successors.iter().filter_map(|&next| reached.get(next)).fold(own, |all, bits| all | bits);
            pairs += component.len() as u64 * u64::from(bits.count_ones());
            reached.push(bits);
        }
    }
    pairs
}

/// For each component the others that an edge leads to.
fn successors(graph: &DiGraph<(), ()>, components: &[Vec<NodeIndex>]) -> Vec<Vec<usize>> {
    let mut component_of = vec![0; graph.node_count()];
    for (index, component) in components.iter().enumerate() {
        component.iter().for_each(|node| component_of[node.index()] = index);
    }
    let of_component = |(index, component): (usize, &Vec<NodeIndex>)| {
        let nodes = component.iter().flat_map(|&node| graph.neighbors(node));
        let others: BTreeSet<_> =
            nodes.map(|node| component_of[node.index()]).filter(|&other| other != index).collect();
        others.into_iter().collect()
    };
    components.iter().enumerate().map(of_component).collect()
}
