#include "memory/shapes.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace mazurka::memory {

namespace {

using Kind = Operation::Kind;

std::vector<std::vector<std::string>> threads_of(const Shape& shape) {
  std::vector<std::vector<std::string>> threads(1);
  std::istringstream words(shape.accesses);
  for (std::string word; words >> word;) {
    if (word == "|") {
      threads.emplace_back();
    } else {
      threads.back().push_back(word);
    }
  }
  return threads;
}

bool is_access(const std::string& word) { return word.size() > 1; }

Kind kind_of(char letter) {
  switch (letter) {
    case 'R': return Kind::read;
    case 'W': return Kind::write;
    case 'A': return Kind::add;
    case 'L': return Kind::lock;
    case 'U': return Kind::unlock;
    case 'T': return Kind::take;
    default: return Kind::give;
  }
}

Order order_of(Kind kind, std::uint64_t strength) {
  const Order half = kind == Kind::read    ? Order::acquire
                     : kind == Kind::write ? Order::release
                                           : Order::acquire_release;
  return strength == 0 ? Order::relaxed : strength == 1 ? half : Order::seq_cst;
}

}  // namespace

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{{"SB", "Wx1 Ry | Wy1 Rx"},
                                      {"MP", "Wx1 Wy1 | Ry Rx"},
                                      {"LB", "Rx Wy1 | Ry Wx1"},
                                      {"S", "Wx2 Wy1 | Ry Wx1"},
                                      {"R", "Wx1 Wy1 | Wy2 Rx"},
                                      {"2+2W", "Wx1 Wy2 | Wy1 Wx2"},
                                      {"CoRR", "Wx1 | Wx2 | Rx Rx | Rx Rx"},
                                      {"CoWW", "Wx1 Wx2 | Rx Rx"},
                                      {"CoRW", "Rx Wx1 | Wx2"},
                                      {"CoWR", "Wx1 Rx | Wx2"},
                                      {"WRC", "Wx1 | Rx Wy1 | Ry Rx"},
                                      {"RWC", "Wx1 | Rx Ry | Wy1 Rx"},
                                      {"ISA2", "Wx1 Wy1 | Ry Wz1 | Rz Rx"},
                                      {"W+RWC", "Wx1 Wy1 | Ry Rz | Wz1 Rx"},
                                      {"Z6", "Wx1 Wy1 | Wy2 Wz1 | Rz Rx"},
                                      {"IRIW", "Wx1 | Wy1 | Rx Ry | Ry Rx"},
                                      {"SB+L", "Wx1 L U Ry | Wy1 L U Rx"},
                                      {"MP+L", "Wx1 L U Wy1 | Ry L U Rx"},
                                      {"2+2W+L", "Wx1 L U Wy2 | Wy1 L U Wx2"},
                                      {"WRC+L", "Wx1 L U | L U Wy1 | Ry Rx"},
                                      {"RWC+L", "Wx1 L U | L U Ry | Wy1 Rx"},
                                      {"Z6+L", "Wx1 L U | L U Wy2 | Wy1 Rx"},
                                      {"SB+A", "Wx1 Az1 Ry | Wy1 Au1 Rx"},
                                      {"MP+A", "Wx1 Wy1 | Ay1 | Ry Rx"},
                                      {"MP+G", "Wx1 G | T Rx"},
                                      {"SB+G", "Wx1 G Ry | Wy1 G Rx"},
                                      {"RWC+G", "Wx1 G | T Ry | Wy1 Rx"}};
  return all;
}

std::uint64_t placements(const Shape& shape) {
  std::uint64_t count = 1;
  for (const auto& thread : threads_of(shape)) {
    for (std::size_t at = 0; at < thread.size(); ++at) {
      if (is_access(thread[at])) count *= at == 0 ? 3 : 9;
    }
  }
  return count;
}

Program placed(const Shape& shape, std::uint64_t number) {
  const auto next = [&] {
    const std::uint64_t digit = number % 3;
    number /= 3;
    return digit;
  };
  Program program;
  for (const auto& thread : threads_of(shape)) {
    std::vector<Operation>& operations = program.threads.emplace_back();
    for (const std::string& access : thread) {
      if (!is_access(access)) {
        operations.push_back({.kind = kind_of(access[0])});
        continue;
      }
      if (!operations.empty()) {
        const std::uint64_t fence = next();
        if (fence != 0) {
          Operation one;
          one.kind = Kind::fence;
          one.order = fence == 1 ? Order::acquire_release : Order::seq_cst;
          operations.push_back(one);
        }
      }
      Operation one;
      one.kind = kind_of(access[0]);
      one.variable = static_cast<int>(std::string_view("xyzu").find(access[1]));
      one.order = order_of(one.kind, next());
      if (one.kind != Kind::read) one.value = access[2] - '0';
      program.variables = std::max(program.variables, one.variable + 1);
      operations.push_back(one);
    }
  }
  return program;
}

}  // namespace mazurka::memory
