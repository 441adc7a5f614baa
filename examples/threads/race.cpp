// Two threads count visitors in a plain integer, without any protection: a data race.
#include <iostream>
#include <thread>

int visitors = 0;

void open_door() {
  for (int i = 0; i < 2; ++i) ++visitors;
}

int main() {
  std::thread front(open_door);
  std::thread back(open_door);
  front.join();
  back.join();
  std::cout << visitors << " visitors\n";
}
