// A file descriptor that is closed when nobody has it any more.
#pragma once

#include <unistd.h>

namespace mazurka::host {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset(int number = -1) {
    if (number_ >= 0) close(number_);
    number_ = number;
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

}  // namespace mazurka::host
