// How long processors have computed, beside how long it took: on a machine that has other things to
// do, and with several processes, the two are not the same.
#pragma once

namespace mazurka::host {

/// Seconds so far, of this process and of all that have ended of those that it has started.
[[nodiscard]] double processor_seconds();

}  // namespace mazurka::host
