// The frame below which a call of mazurka::check is performed: what is above it is not checked.
#pragma once

#include <unwind.h>

namespace mazurka::threads {

/// Calls what is checked. Its callers catch nothing: an exception that comes here is not caught.
[[gnu::noinline]] void perform_checked(void (*body)(void*), void* argument) noexcept;
/// Whether the frame is that of the function above.
[[nodiscard]] bool performs_checked(_Unwind_Context* frame);

}  // namespace mazurka::threads
