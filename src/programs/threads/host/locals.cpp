#include "programs/threads/host/locals.hpp"

#include <dwarf.h>

#include <cstdlib>
#include <memory>

namespace mazurka::threads {

namespace {

#if defined(__aarch64__)
constexpr unsigned stack_pointer = 31;  // as DWARF numbers the registers
#else
constexpr unsigned stack_pointer = 7;
#endif

struct FreeFrame {
  void operator()(Dwarf_Frame* frame) const { std::free(frame); }
};

struct Operations {
  Dwarf_Op* first = nullptr;
  std::size_t count = 0;
};

/// How the attribute is computed at this place of the code, if it is a place in memory.
std::optional<Operations> location(Dwarf_Die* die, unsigned attribute, Dwarf_Addr code) {
  Dwarf_Attribute found;
  Operations operations;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr ||
      dwarf_getlocation_addr(&found, code, &operations.first, &operations.count, 1) != 1) {
    return std::nullopt;
  }
  return operations;
}

/// The register and the offset in `register + offset`.
struct Distance {
  unsigned number = 0;
  std::uint64_t offset = 0;
};

std::optional<Distance> as_distance(const Dwarf_Op& operation) {
  if (operation.atom >= DW_OP_breg0 && operation.atom <= DW_OP_breg31) {
    return Distance{static_cast<unsigned>(operation.atom - DW_OP_breg0), operation.number};
  }
  if (operation.atom == DW_OP_bregx) {
    return Distance{static_cast<unsigned>(operation.number), operation.number2};
  }
  return std::nullopt;
}

/// How far below the end of the frame that is which the variables' offsets are counted from.
std::optional<std::uint64_t> base_below_end(Dwfl_Module* module, Dwarf_Die* function,
                                            Dwarf_Addr code, Dwarf_Addr address) {
  const std::optional<Operations> base = location(function, DW_AT_frame_base, code);
  if (!base || base->count != 1) return std::nullopt;
  const Dwarf_Op& operation = base->first[0];
  if (operation.atom == DW_OP_call_frame_cfa) return 0;
  if (operation.atom < DW_OP_reg0 || operation.atom > DW_OP_reg31) return std::nullopt;
  // A register: the end is a known distance from it, if it is the same that unwinding goes by.
  Dwarf_Addr bias = 0;
  Dwarf_CFI* rules = dwfl_module_eh_cfi(module, &bias);
  Dwarf_Frame* raw = nullptr;
  if (rules == nullptr || dwarf_cfi_addrframe(rules, address - bias, &raw) != 0) {
    return std::nullopt;
  }
  const std::unique_ptr<Dwarf_Frame, FreeFrame> frame(raw);
  Operations rule;
  if (dwarf_frame_cfa(frame.get(), &rule.first, &rule.count) != 0 || rule.count != 1) {
    return std::nullopt;
  }
  const std::optional<Distance> distance = as_distance(rule.first[0]);
  if (!distance || distance->number != static_cast<unsigned>(operation.atom - DW_OP_reg0)) {
    return std::nullopt;
  }
  return distance->offset;
}

}  // namespace

std::vector<Locals::Local> Locals::look_up(std::uint64_t return_address) const {
  std::vector<Local> locals;
  const Dwarf_Addr call = return_address - 1;  // inside the call, not after it
  Dwfl_Module* module = info_.module_of(call);
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = module == nullptr ? nullptr : unit_of(module, call, bias);
  if (unit == nullptr) return locals;
  Scopes scopes;
  find_scopes(module, unit, call - bias, scopes);
  std::optional<std::uint64_t> base;
  for (int i = 0; i < scopes.count && !base; ++i) {
    if (dwarf_tag(&scopes.list[i]) == DW_TAG_subprogram) {
      base = base_below_end(module, &scopes.list[i], call - bias, call);
    }
  }
  for (Dwarf_Die& variable : variables_in(scopes)) {
    const std::optional<Operations> place = location(&variable, DW_AT_location, call - bias);
    if (!place || place->count != 1) continue;
    const std::optional<Distance> distance = as_distance(place->first[0]);
    if (place->first[0].atom == DW_OP_fbreg && base) {
      locals.push_back({false, place->first[0].number - *base, variable});
    } else if (distance && distance->number == stack_pointer) {
      locals.push_back({true, distance->offset, variable});
    }
  }
  return locals;
}

std::vector<Locals::Local>& Locals::locals_at(std::uint64_t return_address) {
  const auto [known, is_new] = known_.try_emplace(return_address);
  if (is_new) known->second = look_up(return_address);
  return known->second;
}

std::size_t Locals::frame_of(std::span<const std::uint64_t> stack,
                             std::span<const std::uint64_t> ends, std::uint64_t address) {
  std::size_t at = 0;
  while (at < stack.size() && at < ends.size() && ends[at] <= address) ++at;
  return at < ends.size() ? at : stack.size();
}

std::optional<NamedPlace> Locals::find(std::span<const std::uint64_t> stack,
                                       std::span<const std::uint64_t> ends, std::uint64_t address,
                                       std::uint64_t size) {
  const std::size_t at = frame_of(stack, ends, address);
  if (at >= stack.size()) return std::nullopt;
  for (Local& local : locals_at(stack[at])) {
    if (local.from_begin && at == 0) continue;  // what is below are the runtime's own frames
    const std::uint64_t begin = (local.from_begin ? ends[at - 1] : ends[at]) + local.offset;
    if (auto found = part_of(&local.die, begin, address, size)) return found;
  }
  return std::nullopt;
}

std::optional<VariableEnd> Locals::end_of(std::span<const std::uint64_t> stack,
                                          std::span<const std::uint64_t> ends,
                                          std::uint64_t address) {
  const std::size_t at = frame_of(stack, ends, address);
  if (at >= stack.size()) return std::nullopt;
  std::optional<VariableEnd> last;  // those of which one is alive at a time may share a place
  for (Local& local : locals_at(stack[at])) {
    if (local.from_begin && at == 0) continue;
    const std::uint64_t begin = (local.from_begin ? ends[at - 1] : ends[at]) + local.offset;
    auto found = end_of_variable(&local.die, begin, address);
    if (found && (!last || last->address < found->address)) last = std::move(found);
  }
  return last;
}

}  // namespace mazurka::threads
