//! Results as figures: what is drawn, not how.

mod growth;
mod history;
mod panel;

pub use growth::growth_figure;
pub use history::history_figure;
pub use panel::panel_figure;
