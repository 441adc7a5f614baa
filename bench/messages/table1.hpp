// What the programs of the paper's Table 1 share: S, R and W, as the table's models write them.
//
// A script is a row of async sends and receives and waits for them; what is sent does not matter.
#pragma once

#include <mazurka/messages.hpp>

#include <array>
#include <vector>

namespace table1 {

using mazurka::messages::Mailbox;
using mazurka::messages::Receiving;
using mazurka::messages::Request;

inline std::array<Mailbox<int>, 8> mailbox;

/// One actor: makes requests and waits for them, numbered from 1.
class Script {
 public:
  Script& send(std::size_t box) {
    requests_.push_back(mailbox[box].async_send(1));
    return *this;
  }
  Script& receive(std::size_t box) {
    requests_.push_back(mailbox[box].async_receive());
    return *this;
  }
  /// Waits for the latest request, or for this one.
  Script& wait() { return wait(requests_.size()); }
  Script& wait(std::size_t number) {
    requests_[number - 1].wait();
    return *this;
  }

 private:
  std::vector<Request> requests_;
};

}  // namespace table1
