// A vector that is quick to empty by assignment.
//
// What is put back before every execution is mostly empty: to assign an empty vector to another is
// a call of a function, and of this one two instructions.
#pragma once

#include <vector>

namespace mazurka {

template <typename T>
class List : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  List(const List&) = default;
  List(List&&) noexcept = default;
  List& operator=(const List& other) {
    if (other.empty()) {
      this->clear();
    } else {
      std::vector<T>::operator=(other);
    }
    return *this;
  }
  List& operator=(List&&) noexcept = default;
  ~List() = default;
};

}  // namespace mazurka
