#include "programs/caf/shared_memory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "programs/caf/code_names.hpp"

namespace mazurka::caf {
namespace {

using Kind = SharedMemory::Kind;

constexpr std::uintptr_t somewhere = 0x1000;

/// Two actors that know of each other only what messages tell.
class SharedMemoryTest : public testing::Test {
 protected:
  SharedMemoryTest() {
    knowledge.keep(true);
    knowledge.reset();
    knowledge.send(0);
    knowledge.send(1);
  }
  void act(std::uint32_t actor, std::uint32_t mail) {
    knowledge.receive(mail, Knowledge::of_actor(actor));
  }
  bool access(Kind kind, std::uintptr_t address = somewhere, std::size_t size = 4) {
    return memory.access(knowledge, address, size, kind, 1, other);
  }

  Knowledge knowledge;
  SharedMemory memory;
  SharedMemory::Past other;
};

TEST_F(SharedMemoryTest, TwoActorsConflictUnlessBothRead) {
  act(0, 0);
  EXPECT_FALSE(access(Kind::read));
  act(1, 1);
  EXPECT_FALSE(access(Kind::read));
  EXPECT_TRUE(access(Kind::write));
  EXPECT_EQ(other.process, Knowledge::of_actor(0));
}

TEST_F(SharedMemoryTest, AMessageOrders) {
  act(0, 0);
  access(Kind::write);
  knowledge.send(2);
  act(1, 2);
  EXPECT_FALSE(access(Kind::write));
}

TEST_F(SharedMemoryTest, WhatIsDoneAfterAMessageWasSentIsNotOrdered) {
  act(0, 0);
  knowledge.send(2);
  access(Kind::write);
  act(1, 2);
  EXPECT_TRUE(access(Kind::read));
}

TEST_F(SharedMemoryTest, NeighboursDoNotConflict) {
  act(0, 0);
  access(Kind::write, somewhere, 3);
  act(1, 1);
  EXPECT_FALSE(access(Kind::write, somewhere + 3, 1));
  EXPECT_TRUE(access(Kind::write, somewhere - 6, 7));
}

TEST_F(SharedMemoryTest, AnAtomicAccessDoesNotSpeakForAPlainOne) {
  act(0, 0);
  access(Kind::write);
  access(Kind::atomic_write);
  act(1, 1);
  EXPECT_TRUE(access(Kind::atomic_read));
  EXPECT_FALSE(SharedMemory::atomic(other.kind));
}

TEST_F(SharedMemoryTest, MemoryThatIsGivenBackIsNew) {
  act(0, 0);
  access(Kind::write);
  memory.forget(somewhere, 4);
  act(1, 1);
  EXPECT_FALSE(access(Kind::write));
}

TEST_F(SharedMemoryTest, IdleStepsComeAfterAll) {
  act(0, 0);
  access(Kind::write);
  act(1, 1);
  access(Kind::write, somewhere + 8);
  knowledge.begin_idle(Knowledge::world);
  EXPECT_FALSE(access(Kind::write, somewhere, 16));
}

/// All accesses are kept, each with all that was known when it was made.
class Reference {
 public:
  struct Access {
    std::uintptr_t address;
    std::size_t size;
    Kind kind;
    std::uint32_t process;
    std::uint32_t tick;
  };
  bool access(const Knowledge& knowledge, std::uintptr_t address, std::size_t size, Kind kind) {
    bool race = false;
    for (const Access& one : all_) {
      const bool touches = one.address < address + size && address < one.address + one.size;
      const bool writes = SharedMemory::writes(one.kind) || SharedMemory::writes(kind);
      race = race || (touches && writes && knowledge.now()[one.process] < one.tick);
    }
    all_.push_back({address, size, kind, knowledge.current(), knowledge.tick()});
    return race;
  }
  void forget(std::uintptr_t address, std::size_t size) {
    std::erase_if(all_, [&](const Access& one) {
      return one.address >= address && one.address + one.size <= address + size;
    });
  }

 private:
  std::vector<Access> all_;
};

TEST(SharedMemoryAtRandom, KnowsTheSameConflicts) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  SharedMemory memory;
  std::uint64_t conflicts = 0;
  for (int round = 0; round < 300; ++round) {
    Knowledge knowledge;
    knowledge.keep(true);
    knowledge.reset();
    memory.clear();
    Reference reference;
    std::uint32_t mails = 0;
    knowledge.send(mails++);
    for (int step = 0; step < 60; ++step) {
      if (below(3) == 0) knowledge.receive(below(mails), Knowledge::of_actor(below(3)));
      if (below(3) == 0) knowledge.send(mails++);
      if (below(20) == 0) {  // blocks are of 16 bytes, and given back as a whole
        const std::uintptr_t block = somewhere + 16 * below(4);
        memory.forget(block, 16);
        reference.forget(block, 16);
      }
      const std::uintptr_t address = somewhere + 16 * below(4) + below(12);
      const std::size_t size = std::size_t{1} << below(3);
      const auto kind = static_cast<Kind>(below(4));
      SharedMemory::Past other;
      const bool expected = reference.access(knowledge, address, size, kind);
      ASSERT_EQ(memory.access(knowledge, address, size, kind, 1, other), expected) << round;
      conflicts += expected ? 1 : 0;
    }
  }
  EXPECT_GT(conflicts, 100U);
}

TEST(CodeNames, FunctionsHaveOwners) {
  const std::map<const char*, Owner> owners{
      {"_Z8caf_mainRN3caf12actor_systemE", Owner::user},
      {"_ZZ4addsPN3caf17event_based_actorEENKUliE_clEi", Owner::user},
      {"_ZN4bank7depositEN3caf5actorE", Owner::user},
      {"_ZNK3caf5actor2idEv", Owner::library},
      {"_ZZN3caf6detail3runEvENKUlvE_clEv", Owner::library},
      {"_ZN7mazurka3caf6detail4callEv", Owner::library},
      {"_ZNSt6vectorIiSaIiEE9push_backERKi", Owner::standard},
      {"_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", Owner::standard},
      {"_ZNSaIcED2Ev", Owner::standard},
      {"_ZL20__gthread_mutex_lockP15pthread_mutex_t", Owner::standard},
      {"_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE10_M_releaseEv", Owner::count},
      {"_ZNKSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE16_M_get_use_countEv",
       Owner::standard},
      {"main", Owner::user},
  };
  for (const auto& [symbol, owner] : owners) EXPECT_EQ(owner_of(symbol), owner) << symbol;
}

}  // namespace
}  // namespace mazurka::caf
