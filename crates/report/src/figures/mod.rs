//! Results as figures: what is drawn, not how.

mod history;
mod panel;

pub use history::history_figure;
pub use panel::panel_figure;
