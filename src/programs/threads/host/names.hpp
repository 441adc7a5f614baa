// Names as people write them: mangled C++ symbols made short.
#pragma once

#include <string>
#include <string_view>

namespace mazurka::threads {

/// Demangled where it is a C++ symbol, else as it is.
[[nodiscard]] std::string demangled(std::string_view symbol);

/// Without parameters, template arguments, anonymous namespaces and return type:
/// "void ns::push<int>(ns::Queue<int>&)" -> "ns::push", a lambda -> "lambda in main".
[[nodiscard]] std::string short_function_name(std::string_view demangled_name);

/// Without the template arguments that nobody has written, and without any beyond a certain length:
/// "map<int, string>", "pair<int, ...>".
[[nodiscard]] std::string short_type_name(std::string_view name);

/// Reserved for the implementation: "_M_impl", "__data", "_Alloc_hider".
[[nodiscard]] bool is_reserved_name(std::string_view name);

/// True for files of the compiler and the system, where no user looks for a mistake.
[[nodiscard]] bool is_system_file(std::string_view file);

}  // namespace mazurka::threads
