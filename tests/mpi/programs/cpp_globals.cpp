// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=assertion
//
// What constructors of globals have built belongs to a rank; so do static locals, inline and
// thread-local variables.
#include <map>
#include <string>
#include <vector>

#include "pair.h"

namespace {

std::vector<int> numbers{1, 2, 3};
inline std::map<std::string, int> table{{"one", 1}};
thread_local int* place = &numbers[0];

int next() {
  static int count = 0;
  return ++count;
}

}  // namespace

int main(int argc, char** argv) {
  start(&argc, &argv);
  for (int i = 0; i < rank; ++i) numbers.push_back(next());
  table["rank"] = rank;
  MPI_Barrier(WORLD);
  assert(static_cast<int>(numbers.size()) == EITHER(4, 3 + rank));
  assert(table.at("rank") == rank && table.size() == 2);
  assert(place != nullptr && next() == rank + 1);
  return finish();
}
