// The account of bank.cpp, repaired: the check and the withdrawal are one critical section, so the
// balance cannot change between them.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }

  bool withdraw(int amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (balance_ < amount) return false;  // not enough money: refuse

    balance_ -= amount;
    return true;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

Account account(100);

int main() {
  std::thread alice([] { account.withdraw(80); });
  std::thread bob([] { account.withdraw(50); });
  alice.join();
  bob.join();

  assert(account.balance() >= 0 && "the account must never be overdrawn");
}
