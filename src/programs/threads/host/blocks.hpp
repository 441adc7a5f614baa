// What a heap block is: the type of what was allocated.
//
// The debugging information does not tell. But the line of the program that allocates does, mostly:
// `new T`, `malloc(sizeof(T))`, or an assignment to a variable that is a pointer to T. Whatever is
// read out of it must be a type of the program whose size fits the block; an array of them, if the
// block is a multiple. Where the line says nothing, a variable that points to the block may. A
// container of the library has its allocator called, whose template argument is the type.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "programs/threads/host/debug_info.hpp"
#include "programs/threads/host/variables.hpp"

namespace mazurka::threads {

struct BlockType {
  std::string name;  // "Node", "Node[8]"
  Dwarf_Die element;
  std::uint64_t size = 0;  // of an element
  bool is_array = false;
};

class Blocks {
 public:
  Blocks(const DebugInfo& info, const Variables& variables) : info_(info), variables_(variables) {}

  /// By the line of the program that has allocated it, and the address of the code there.
  [[nodiscard]] std::optional<BlockType> made_by(const std::string& line, std::uint64_t code,
                                                 std::uint64_t block_size);
  /// By the code that has allocated it, if that is an allocator of the library.
  [[nodiscard]] std::optional<BlockType> made_for_container(std::uint64_t code,
                                                            std::uint64_t block_size) const;
  /// By what points to it.
  [[nodiscard]] static std::optional<BlockType> pointed_at(Dwarf_Die pointee,
                                                           std::uint64_t block_size);

 private:
  void collect(Dwarf_Die* parent);
  [[nodiscard]] std::optional<Dwarf_Die> pointee_of(const std::string& variable,
                                                    std::uint64_t code) const;

  const DebugInfo& info_;
  const Variables& variables_;
  bool collected_ = false;
  std::multimap<std::string, Dwarf_Die> types_;  // by name, without template arguments
};

/// The part of the block that is accessed; `name` stands for the whole.
[[nodiscard]] NamedPlace part_of_block(const BlockType& type, std::string name,
                                       std::uint64_t offset, std::uint64_t size);

}  // namespace mazurka::threads
