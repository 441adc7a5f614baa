// Two transfers between the same two accounts, in opposite directions. Each locks the account it
// takes from, then the one it gives to: if both get their first mutex, neither gets the second.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

Account savings, current;

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard<std::mutex> lock_from(from.mutex);
  std::lock_guard<std::mutex> lock_to(to.mutex);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread one([] { transfer(savings, current, 10); });
  std::thread two([] { transfer(current, savings, 20); });
  one.join();
  two.join();
}
