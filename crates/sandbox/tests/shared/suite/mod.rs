//! Test suites that start the solution themselves. A Python script stands for pytest: what it starts is in another room.

mod company;
mod hostile;
mod programs;
