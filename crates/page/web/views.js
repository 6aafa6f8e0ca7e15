// The views of runs of checkpoints, by hash route.

const VIEWS = [
  { path: "", words: "Overview", show: overview },
  { path: "trajectories", words: "Trajectories", show: trajectories },
  { path: "compare", words: "Compare", show: compare },
  { path: "tables", words: "Tables", show: tablesView },
  { path: "figures", words: "Figures", show: figures },
  { path: "trajectory", show: trajectory, under: "trajectories" },
];

const LEGEND = "Rates are of checkpoints with a workspace; brackets are 95% intervals, problems drawn whole; ± is the sample standard deviation.";
