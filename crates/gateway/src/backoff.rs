//! How long to wait when a provider says "not now": as long as it says, and within bounds.

use std::{
    fmt, io,
    pin::Pin,
    time::{Duration, SystemTime},
};

use serde_json::Value;

/// Time, as the gateway knows it.
pub trait Clock: fmt::Debug + Send + Sync {
    /// What time it is.
    fn now(&self) -> SystemTime;
    /// Lets so much time pass.
    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// The bounds of waiting for one answer.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// How often a request is sent, the first time included.
    pub attempts: u32,
    /// The longest wait that we choose ourselves.
    pub longest_wait: Duration,
    /// All waits for one answer together. Agents give up on a silent gateway too, most of them after ten minutes.
    pub total_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 8, longest_wait: Duration::from_secs(60), total_wait: Duration::from_secs(9 * 60) }
    }
}

impl RetryPolicy {
    /// How long to wait after `attempt` (from 1) failed, having waited for `waited` so far; `None`: give up.
    ///
    /// `said` is what the provider asks for. `chance`, in [0, 1), spreads the requests of sessions that were turned away
    /// together; it never makes a wait shorter than what was asked for.
    pub fn pause(&self, attempt: u32, waited: Duration, said: Option<Duration>, chance: f64) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        let pause = match said {
            Some(said) => said + said.min(self.longest_wait).mul_f64(0.1 * chance),
            None => self.longest_wait.min(Duration::from_secs(1 << attempt.min(16))).mul_f64(0.5 + 0.5 * chance),
        };
        (waited + pause <= self.total_wait).then_some(pause)
    }
}

/// Whether an answer of this status may be another one later: rate limits, overload, and a provider's own failures.
pub fn is_retryable(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..)
}

/// What a provider says about when to come back, in its headers or in an error's body.
pub fn wait_said(header: impl Fn(&str) -> Option<String>, body: &[u8], now: SystemTime) -> Option<Duration> {
    let millis = header("retry-after-ms").and_then(|text| seconds(text.trim()).map(|time| time / 1000));
    millis.or_else(|| retry_after(header("retry-after")?.trim(), now)).or_else(|| retry_delay(body))
}

/// Seconds or a date (RFC 9110, section 10.2.3).
fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let until = |date: SystemTime| date.duration_since(now).unwrap_or_default();
    seconds(text).or_else(|| httpdate::parse_http_date(text).ok().map(until))
}

/// Google's `RetryInfo`: `{"error": {"details": [{"retryDelay": "37s"}]}}`, alone or in an array.
fn retry_delay(body: &[u8]) -> Option<Duration> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let details = body.pointer("/error/details").or_else(|| body.pointer("/0/error/details"))?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    seconds(delay.strip_suffix('s')?)
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// A number in [0, 1) that differs from session to session.
pub(crate) fn chance(clock: &dyn Clock) -> f64 {
    let since = clock.now().duration_since(SystemTime::UNIX_EPOCH).map_err(io::Error::other);
    since.map_or(0.0, |since| f64::from(since.subsec_nanos()) / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: RetryPolicy =
        RetryPolicy { attempts: 4, longest_wait: Duration::from_secs(60), total_wait: Duration::from_secs(540) };

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn minutes_are_waited_if_minutes_are_said() {
        assert_eq!(BOUNDS.pause(1, secs(0), Some(secs(300)), 0.0), Some(secs(300)));
        assert_eq!(BOUNDS.pause(1, secs(0), Some(secs(300)), 0.5), Some(secs(303)), "later, never earlier");
    }

    #[test]
    fn nothing_said_doubles_from_two_seconds_to_the_longest_pause() {
        let pause = |attempt| RetryPolicy { attempts: 99, ..BOUNDS }.pause(attempt, secs(0), None, 1.0);
        assert_eq!([1, 2, 3, 6, 90].map(pause), [2, 4, 8, 60, 60].map(|time| Some(secs(time))));
    }

    #[test]
    fn retries_end_by_attempts_and_by_time() {
        assert_eq!(BOUNDS.pause(4, secs(0), None, 0.0), None);
        assert_eq!(BOUNDS.pause(1, secs(0), Some(secs(3600)), 0.0), None, "an hour is not waited for in vain");
        assert_eq!(BOUNDS.pause(2, secs(500), Some(secs(60)), 0.0), None);
    }

    #[test]
    fn every_way_of_saying_when_is_understood() {
        let now = SystemTime::UNIX_EPOCH + secs(784_111_777);
        let said = |name: &str, value: &str, body: &str| {
            wait_said(|asked| (asked == name).then(|| value.to_owned()), body.as_bytes(), now)
        };
        assert_eq!(said("retry-after", "120", ""), Some(secs(120)));
        assert_eq!(said("retry-after", "Sun, 06 Nov 1994 08:51:37 GMT", ""), Some(secs(120)));
        assert_eq!(said("retry-after", "Sat, 06 Nov 1993 08:49:37 GMT", ""), Some(secs(0)), "a date that is past");
        assert_eq!(said("retry-after-ms", "1500", ""), Some(Duration::from_millis(1500)));
        let google = r#"[{"error": {"details": [{"reason": "x"}, {"retryDelay": "37.5s"}]}}]"#;
        assert_eq!(said("", "", google), Some(Duration::from_millis(37_500)));
        for nonsense in ["soon", "-3", "NaN", "1e400", ""] {
            assert_eq!(said("retry-after", nonsense, "{"), None, "{nonsense}");
        }
    }
}
