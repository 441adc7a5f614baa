// mazurka: verdict=verified traces=2
// mazurka: techniques="optimal source dpor sleep unfolding unfolding:1 unfolding:2"
//
// Globals, the heap and the mailboxes are as new in every execution.
#include <mazurka/messages.hpp>

#include <cassert>
#include <vector>

mazurka::messages::Mailbox<int> box;
std::vector<int> seen;

int main() {
  assert(seen.empty());
  mazurka::messages::run([] { box.async_send(1); }, [] { box.async_send(2); },
                         [] {
                           seen.push_back(box.receive());
                           seen.push_back(box.receive());
                         });
  assert(seen.size() == 2 && seen[0] + seen[1] == 3);
}
