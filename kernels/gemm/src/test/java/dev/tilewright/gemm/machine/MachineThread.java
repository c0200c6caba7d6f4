package dev.tilewright.gemm.machine;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Compare.Relation;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.ParamAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterAddress;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.StateSpace;
import dev.tilewright.ptx.type.VariableAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One thread: registers by name, as unsigned numbers of their size, and the next statement. */
final class MachineThread {

    enum State {
        RUNNING,
        /** Nothing it can do by itself. */
        WAITING,
        DONE
    }

    private static final int WARP = 32;

    private final MachineCta cta;
    private final Machine machine;
    private final int warp;
    private final int lane;
    private final Rendezvous lanes;
    /** Groups of wgmma that each lane of the warpgroup has issued; a group is done once all have issued it. */
    private final int[] issued;

    private final Map<String, Long> registers = new HashMap<>();
    private final Set<Long> acquired = new HashSet<>();
    private int next;
    /** Set between arriving at a barrier and passing it. */
    private int ticket = -1;

    private int clusterTicket;

    MachineThread(MachineCta cta, int warp, int lane, Rendezvous lanes, int[] issued) {
        this.issued = issued;
        this.cta = cta;
        this.machine = cta.machine;
        this.warp = warp;
        this.lane = lane;
        this.lanes = lanes;
    }

    State run(int steps) {
        for (int step = 0; step < steps; step++) {
            machine.clock++;
            int at = next;
            boolean passes = switch (machine.body.get(at)) {
                case Statement.LabelTarget _, Statement.Comment _ -> true;
                case Statement.Guarded g -> (get(g.predicate()) != 0) == g.negated() || execute(g.instruction());
                case Instruction instruction -> execute(instruction);
            };
            if (next < 0) {
                return State.DONE;
            }
            if (!passes) {
                return step == 0 ? State.WAITING : State.RUNNING;
            }
            if (next == at) {
                next++;
            }
        }
        return State.RUNNING;
    }

    @Override
    public String toString() {
        return "CTA " + cta.index() + " warp " + warp + " lane " + lane + " at " + machine.body.get(next);
    }

    /** Returns false if the instruction must be tried again later. */
    private boolean execute(Instruction instruction) {
        return switch (instruction) {
            case Arithmetic a -> arithmetic(a);
            case Compare c -> compare(c);
            case Convert c -> convert(c);
            case Move m -> move(m);
            case Memory m -> memory(m);
            case Control c -> control(c);
            case Barrier b -> barrier(b);
            case Mbarrier m -> mbarrier(m);
            case BulkCopy b -> bulkCopy(b);
            case Wgmma w -> wgmma(w);
            case Matrix _ -> true;
            case TensorMapUpdate.Acquire acquire -> {
                acquired.add(get(acquire.map().base()));
                yield true;
            }
            case Instruction foreign -> throw unknown(foreign);
        };
    }

    private boolean arithmetic(Arithmetic arithmetic) {
        switch (arithmetic) {
            case Arithmetic.Binary(IntegerOperation op, ScalarType type, Reg<?> d, Operand<?> a, Operand<?> b) ->
                set(d, apply(op, type, get(a), get(b)));
            case Arithmetic.MultiplyAdd(var half, ScalarType _, Reg<?> d, Operand<?> a, Operand<?> b, Operand<?> c) -> {
                if (half == Arithmetic.Half.HI) {
                    throw unknown(arithmetic);
                }
                set(d, get(a) * get(b) + get(c));
            }
            case Arithmetic.MultiplyWide(ScalarType _, Reg<?> d, Operand<?> a, Operand<?> b) -> set(d, get(a) * get(b));
            default -> throw unknown(arithmetic);
        }
        return true;
    }

    private static long apply(IntegerOperation op, ScalarType type, long a, long b) {
        if (type.isSigned()) {
            throw new IllegalArgumentException("signed arithmetic is not known here: " + op);
        }
        return switch (op) {
            case ADD -> a + b;
            case SUB -> a - b;
            case MUL_LO -> a * b;
            case DIV -> Long.divideUnsigned(a, b);
            case REM -> Long.remainderUnsigned(a, b);
            case MIN -> Long.compareUnsigned(a, b) < 0 ? a : b;
            case MAX -> Long.compareUnsigned(a, b) > 0 ? a : b;
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case SHL -> b >= type.bits() ? 0 : a << b;
            case SHR -> b >= type.bits() ? 0 : a >>> b;
            case ADD_SATURATED, SUB_SATURATED -> throw new IllegalArgumentException("not known here: " + op);
            case MUL_HI -> type.bits() == 64 ? Math.unsignedMultiplyHigh(a, b) : a * b >>> type.bits();
        };
    }

    private boolean compare(Compare compare) {
        switch (compare) {
            case Compare.SetPredicate p -> {
                if (p.combine().isPresent()
                        || p.second().isPresent()
                        || p.type().isSigned()) {
                    throw unknown(compare);
                }
                set(p.d(), holds(p.relation(), Long.compareUnsigned(get(p.a()), get(p.b()))) ? 1 : 0);
            }
            case Compare.Select(ScalarType _, Reg<?> d, Operand<?> a, Operand<?> b, var p) ->
                set(d, get(p) != 0 ? get(a) : get(b));
            case Compare.PredicateBinary(var op, var d, var a, var b) ->
                set(
                        d,
                        switch (op) {
                            case AND -> get(a) & get(b);
                            case OR -> get(a) | get(b);
                            case XOR -> get(a) ^ get(b);
                        });
            case Compare.PredicateNot(var d, var a) -> set(d, 1 - get(a));
            case Compare.SetValue _, Compare.SelectBySign _ -> throw unknown(compare);
        }
        return true;
    }

    private static boolean holds(Relation relation, int order) {
        return switch (relation) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case LT -> order < 0;
            case LE -> order <= 0;
            case GT -> order > 0;
            case GE -> order >= 0;
            case LTU, GTU, GEU, LEU, NEU, EQU, NAN, NUM -> throw new IllegalArgumentException("of floats: " + relation);
        };
    }

    private boolean convert(Convert convert) {
        switch (convert) {
            case Convert.Cvt cvt -> set(cvt.d(), get(cvt.a()));
            case Convert.ToGeneric generic -> set(generic.d(), get(generic.a()));
            case Convert.FromGeneric own -> set(own.d(), get(own.a()));
            // bf16 of accumulators, which nobody computed.
            case Convert.Pair _ -> {}
            default -> throw unknown(convert);
        }
        return true;
    }

    private boolean move(Move move) {
        switch (move) {
            case Move.Copy(ScalarType _, Reg<?> d, Operand<?> a) -> set(d, get(a));
            case Move.ConstantPredicate(var d, boolean value) -> set(d, value ? 1 : 0);
            case Move.ReadSpecial(Reg<?> d, SpecialRegister special) -> set(d, special(special));
            case Move.AddressOf(ScalarType _, Reg<?> d, String symbol, StateSpace space, int _) ->
                set(d, space == StateSpace.SHARED ? Machine.SHARED_START : machine.mapAddresses.get(symbol));
            case Move.Pack(ScalarType _, Reg<?> d, List<Operand<?>> parts) ->
                set(d, get(parts.get(0)) | get(parts.get(1)) << 32);
            case Move.Unpack(ScalarType _, List<Optional<Reg<?>>> parts, Operand<?> from) -> {
                parts.get(0).ifPresent(low -> set(low, get(from) & 0xFFFF_FFFFL));
                parts.get(1).ifPresent(high -> set(high, get(from) >>> 32));
            }
        }
        return true;
    }

    private long special(SpecialRegister special) {
        return switch (special) {
            case TID_X -> (long) warp * WARP + lane;
            case LANEID -> lane;
            case CTAID_X, SMID -> cta.index();
            case NCTAID_X -> machine.ctas;
            case CLUSTERID_X -> cta.cluster;
            case NCLUSTERID_X -> machine.ctas / machine.clusterSize;
            case CLUSTER_CTARANK -> cta.rank;
            case GLOBALTIMER -> machine.clock;
            case GLOBALTIMER_LO -> machine.clock & 0xFFFF_FFFFL;
            default -> throw new IllegalArgumentException("not known here: " + special);
        };
    }

    private boolean memory(Memory memory) {
        switch (memory) {
            case Memory.Load load -> load(load);
            case Memory.Store store -> store(store);
            case Memory.Atomic atomic -> {
                if (atomic.operation() != Memory.AtomicOperation.INC) {
                    throw unknown(memory);
                }
                long address = address(atomic.address());
                long old = Integer.toUnsignedLong(machine.load(address));
                set(atomic.d().getFirst(), old);
                machine.store(address, old >= get(atomic.b().getFirst()) ? 0 : (int) (old + 1));
            }
            case Memory.Reduce reduce -> {
                if (reduce.operation() != Memory.AtomicOperation.ADD) {
                    throw unknown(memory);
                }
                long address = address(reduce.address());
                machine.store(
                        address, machine.load(address) + (int) get(reduce.b().getFirst()));
            }
            case Memory.PrefetchTensorMap _, Memory.Prefetch _ -> {}
            case Memory.StoreAsync _, Memory.ReduceAsync _ -> throw unknown(memory);
        }
        return true;
    }

    private void load(Memory.Load load) {
        if (load.address() instanceof ParamAddress(String name, int _)) {
            set(
                    load.d().getFirst(),
                    switch (machine.arguments.get(name)) {
                        case Argument.U32(int value) -> Integer.toUnsignedLong(value);
                        case Argument.F32(var _, float value) -> Integer.toUnsignedLong(Float.floatToRawIntBits(value));
                        case Argument.U64(long value) -> value;
                        case Argument.Pointer(var role, long offset) -> Machine.address(role) + offset;
                        case Argument.TensorMap _ -> throw unknown(load);
                    });
            return;
        }
        long at = address(load.address());
        if (load.address() instanceof GlobalAddress) {
            for (Reg<?> d : load.d()) {
                set(d, Integer.toUnsignedLong(machine.loadFilled(at)));
                at += 4;
            }
            return;
        }
        if (!(load.address() instanceof SharedAddress)) {
            throw unknown(load);
        }
        for (Reg<?> d : load.d()) {
            Integer word = cta.shared.get(at);
            if (word == null) {
                throw new IllegalStateException(this + ": nothing was written at " + at);
            }
            set(d, Integer.toUnsignedLong(word));
            at += 4;
        }
    }

    private void store(Memory.Store store) {
        long at = address(store.address());
        for (Operand<?> value : store.values()) {
            for (int word = 0; word < store.type().bytes() / 4; word++) {
                int bits = (int) (get(value) >>> 32 * word);
                if (store.address() instanceof GlobalAddress) {
                    machine.store(at, bits);
                } else {
                    cta.owner(at).shared.put(MachineCta.within(at), bits);
                }
                at += 4;
            }
        }
    }

    private boolean control(Control control) {
        switch (control) {
            case Control.Branch(boolean _, var label) -> next = machine.labels.get(label.name());
            case Control.Return _, Control.Exit _ -> next = -1;
            case Control.Trap _ -> throw new IllegalStateException("trap in " + this);
        }
        return true;
    }

    private boolean barrier(Barrier barrier) {
        return switch (barrier) {
            case Barrier.CtaBarrier b -> {
                Rendezvous named = cta.named((int) get(b.id()));
                int expected = b.threads().map(this::get).map(Long::intValue).orElse(machine.threads);
                yield meet(named, WARP / Machine.LANES, expected, b.action() == Barrier.CtaAction.SYNC);
            }
            case Barrier.WarpBarrier _ -> meet(lanes, 1, Machine.LANES, true);
            case Barrier.ClusterBarrier b ->
                switch (b.action()) {
                    case ARRIVE -> {
                        int all = machine.clusterSize * machine.threads / WARP * Machine.LANES;
                        clusterTicket = cta.clusterBarrier.arrive(1, all);
                        yield true;
                    }
                    case WAIT -> cta.clusterBarrier.passed(clusterTicket);
                };
            case Barrier.Elect e -> {
                set(e.d(), lane == 0 ? 1 : 0);
                yield true;
            }
            // The warp index alone is shuffled: it is the same in all lanes.
            case Barrier.Shuffle s -> {
                set(s.d(), get(s.a()));
                yield true;
            }
            case Barrier.SetMaxRegisters _, Barrier.ProxyFence _, Barrier.ThreadFence _ -> true;
            case Barrier.Vote _,
                    Barrier.RestrictedFence _,
                    Barrier.Ballot _,
                    Barrier.GridDependency _,
                    Barrier.Nanosleep _ -> throw unknown(barrier);
        };
    }

    private boolean meet(Rendezvous barrier, int weight, int expected, boolean waits) {
        if (ticket < 0) {
            int own = barrier.arrive(weight, expected);
            if (!waits) {
                return true;
            }
            ticket = own;
        }
        if (!barrier.passed(ticket)) {
            return false;
        }
        ticket = -1;
        return true;
    }

    private boolean mbarrier(Mbarrier mbarrier) {
        switch (mbarrier) {
            case Mbarrier.Init init -> cta.mbarriers.init(address(init.barrier()), (int) get(init.count()));
            case Mbarrier.Arrive arrive -> {
                long at = address(arrive.barrier());
                cta.owner(at).mbarriers.arrive(MachineCta.within(at), 0);
            }
            case Mbarrier.ArriveExpectTx arrive -> cta.mbarriers.arrive(address(arrive.barrier()), get(arrive.bytes()));
            case Mbarrier.Wait wait -> {
                if (!cta.mbarriers.passed(
                        address(wait.barrier()), (int) get(wait.parity().orElseThrow()))) {
                    return false;
                }
                set(wait.d(), 1);
            }
            case Mbarrier.MapToRank map ->
                set(map.d(), get(map.address()) | (get(map.rank()) + 1) << Machine.RANK_SHIFT);
            case Mbarrier.FenceInit _ -> {}
            case Mbarrier.Invalidate _,
                    Mbarrier.ExpectTx _,
                    Mbarrier.CompleteTx _,
                    Mbarrier.PendingCount _,
                    Mbarrier.RankOf _ -> throw unknown(mbarrier);
        }
        return true;
    }

    private boolean bulkCopy(BulkCopy copy) {
        switch (copy) {
            case BulkCopy.TensorLoad load -> {
                long bytes = map(load.map()).box().stream().reduce(2, Math::multiplyExact);
                long ranks = load.multicast().map(this::get).orElse(1L << cta.rank);
                for (MachineCta target : cta.members) {
                    if ((ranks >> target.rank & 1) == 1) {
                        target.mbarriers.complete(address(load.barrier()), bytes);
                    }
                }
            }
            case BulkCopy.TensorStore store ->
                machine.store(new Machine.TileStore(
                        map(store.map()), (int) get(store.coordinates().get(0)), (int)
                                get(store.coordinates().get(1))));
            case BulkCopy.CommitGroup _, BulkCopy.WaitGroup _ -> {}
            default -> throw unknown(copy);
        }
        return true;
    }

    /** One instruction of a warpgroup needs all its warps: this is what keeps them from losing each other. */
    private boolean wgmma(Wgmma wgmma) {
        int own = warp % 4 * Machine.LANES + lane;
        return switch (wgmma) {
            case Wgmma.CommitGroup _ -> {
                issued[own]++;
                yield true;
            }
            case Wgmma.WaitGroup(int pending) -> Arrays.stream(issued).min().orElseThrow() >= issued[own] - pending;
            case Wgmma.Fence _, Wgmma.MmaAsync _ -> true;
        };
    }

    private Argument.TensorMap map(GenericAddress address) {
        long at = get(address.base());
        if (machine.toAcquire.contains(at) && !acquired.contains(at)) {
            throw new IllegalStateException(this + " copies by a map that it has not acquired: " + at);
        }
        return machine.maps.get(at);
    }

    private long address(Address address) {
        return switch (address) {
            case SharedAddress(var base, int offset) -> get(base) + offset;
            case ClusterAddress(var base, int offset) -> get(base) + offset;
            case GlobalAddress(var base, int offset) -> get(base) + offset;
            case GenericAddress _, ParamAddress _, RegisterAddress _, VariableAddress _ ->
                throw new IllegalArgumentException("not known here: " + address);
        };
    }

    private long get(Operand<?> operand) {
        return switch (operand) {
            case Immediate<?> constant -> constant.unsigned();
            case Reg<?> register -> {
                Long value = registers.get(register.name());
                if (value == null) {
                    throw new IllegalStateException(this + " reads " + register.name() + ", which nobody wrote");
                }
                yield value;
            }
        };
    }

    private void set(Reg<?> register, long value) {
        int bits = register.type().bits();
        registers.put(register.name(), bits == 64 ? value : value & ((1L << bits) - 1));
    }

    private static IllegalArgumentException unknown(Instruction instruction) {
        return new IllegalArgumentException("not known here: " + instruction);
    }
}
