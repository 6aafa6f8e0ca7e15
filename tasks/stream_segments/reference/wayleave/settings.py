"""Constants of the method, with the switches of its ablations."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Every constant in one place; the defaults are those of the specification."""

    # Warm-up and features.
    warmup: int = 150
    settling: int = 20
    spread_floor: float = 1e-6
    base_rate: float = 0.06
    turn_rate: float = 0.1
    roughness_floor: float = 0.05

    # Summaries and their prior.
    count_cap: float = 400.0
    prior_mean_weight: float = 3.0
    prior_shape: float = 4.0

    # Voices.
    voice_rate: float = 0.005
    voice_shrinkage: float = 0.1
    persistence_cap: float = 0.95

    # Evidence.
    vote_bound: float = 3.0
    replay_weight: float = 0.5
    burst_constant: float = 4.0

    # Opening.
    quiet_memory: int = 200
    gate_quantile: float = 0.8
    gate_window: int = 3
    gate_votes: int = 2
    look_back: int = 12
    gap: int = 6

    # Pruning.
    probation: int = 12
    floor: float = 5.0
    dominance: float = 2.0
    stale_age: int = 120
    fork_cap: int = 5
    infancy: int = 40

    # Takeover.
    hold: int = 3
    waiver: float = 2.0

    # Null calibration.
    null_streams: int = 15
    null_length: int = 300
    null_block: int = 20
    false_rate: float = 1.0 / 2000.0
    threshold_floor: float = 3.0
    tail_floor: float = 0.25

    # Location and interval.
    location_reach: int = 20
    surprise_correlation_cap: float = 0.9
    interval_mass: float = 0.9

    # Withdrawal.
    grace: int = 40

    # Registry of regimes.
    regime_limit: float = 0.35

    # Ablations: each switch takes one idea away.
    use_burst_discount: bool = True
    use_voices: bool = True
    use_withdrawal: bool = True
    use_freeze: bool = True
