package dev.tilewright.emulator.async;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.memory.SharedMemory;
import dev.tilewright.emulator.order.Access;
import dev.tilewright.emulator.order.Agent;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.tensor.MatrixDescriptor;
import dev.tilewright.emulator.warp.CtaCoordinates;
import dev.tilewright.emulator.warp.Origin;
import dev.tilewright.emulator.warp.RunCounts;
import dev.tilewright.emulator.warp.Warp;
import dev.tilewright.emulator.warp.WgmmaRegisters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Four warps that multiply matrices together. A wgmma begins when all four have issued it, and is done, at the latest
 * moment possible, when one of them waits for it; until then it owns what it reads.
 */
public final class Warpgroup {
    private static final int WARPS = 4;
    private static final int ALL = 0xF;

    private final List<Warp> warps;
    private final SharedMemory shared;
    private final Order happensBefore;
    /** Wgmmas not done, in order; the first has the number {@code first}. */
    private final Deque<MmaOperation> pending = new ArrayDeque<>();

    private final long[] issued = new long[WARPS];
    private final long[] committed = new long[WARPS];
    private final List<Deque<Long>> groups = new ArrayList<>();
    private final List<Runnable> waiters = new ArrayList<>();
    private final MatrixUnit unit;
    private final Agent products;
    /** Indices of the executed setmaxnregs in the program, and how many each warp has executed. */
    private final List<Integer> registerChanges = new ArrayList<>();

    private final int[] changesOfWarp = new int[WARPS];
    private long first = 1;

    /** Four warps of a CTA, with its shared memory. */
    public Warpgroup(CtaCoordinates cta, List<Warp> warps, SharedMemory shared, Order happensBefore, RunCounts tally) {
        this.warps = warps;
        this.shared = shared;
        this.happensBefore = happensBefore;
        unit = new MatrixUnit(warps, shared, tally);
        products = happensBefore.agent(
                Agent.Kind.PRODUCTS,
                cta.cluster().id(),
                cta.id(),
                "the warpgroup from warp " + warps.getFirst().index() + " of CTA " + cta.id());
        for (int i = 0; i < WARPS; i++) {
            groups.add(new ArrayDeque<>());
        }
    }

    private static int rank(Warp warp) {
        return warp.index() % WARPS;
    }

    /**
     * A warp issues a wgmma.
     *
     * @param a descriptor, or 0 if A is in registers
     * @param fragments registers of A, or none
     */
    public void issue(Origin origin, MmaShape shape, long a, long b, boolean accumulate, int[] fragments) {
        Warp warp = origin.warp();
        int rank = rank(warp);
        long sequence = ++issued[rank];
        MmaOperation operation;
        int index = (int) (sequence - first);
        if (index < pending.size()) {
            operation = nth(index);
            if (!operation.matches(shape, a, b, accumulate)) {
                throw new HazardFound(new Hazard.Divergent("the warps of a warpgroup issue different wgmmas: warp "
                        + warp.index() + " does not issue " + operation));
            }
            operation.needs().require(happensBefore, operation.reading(), shared.shadow());
        } else {
            operation = new MmaOperation(
                    origin,
                    new Access(products, (int) sequence, origin.manner(), origin.evidence()),
                    shape,
                    a,
                    b,
                    accumulate,
                    fragments.length > 0);
            claim(operation);
            pending.addLast(operation);
        }
        WgmmaRegisters registers = warp.wgmmaRegisters();
        registers.readFragment(origin.pc(), fragments, sequence);
        registers.accumulate(origin.pc(), shape.d(), sequence, shape.code());
        UndefinedAccumulators.issued(warp, operation, fragments);
        int[][] parts = operation.fragments;
        if (parts != null) {
            int[] words = new int[4 * Warp.LANES];
            for (int i = 0; i < 4; i++) {
                System.arraycopy(warp.words, fragments[i] * Warp.LANES, words, i * Warp.LANES, Warp.LANES);
            }
            parts[rank] = words;
        }
        operation.issued |= 1 << rank;
        if (operation.issued == ALL) {
            List<Runnable> woken = List.copyOf(waiters);
            waiters.clear();
            woken.forEach(Runnable::run);
        }
    }

    private MmaOperation nth(int index) {
        int i = 0;
        for (MmaOperation operation : pending) {
            if (i++ == index) {
                return operation;
            }
        }
        throw new IllegalStateException("no operation " + index);
    }

    private void claim(MmaOperation operation) {
        if (operation.fragments == null) {
            claim(operation.a, "A", operation.shape.readerA(), at -> operation.claimA(shared, at));
        }
        claim(operation.b, "B", operation.shape.readerB(), at -> operation.claimB(shared, at));
    }

    private static void claim(long bits, String name, MatrixReader reader, MatrixReader.ChunkVisitor visitor) {
        MatrixDescriptor.refusal(bits).ifPresent(rule -> {
            throw new HazardFound(new Hazard.BadDescriptor(name, bits, rule));
        });
        MatrixDescriptor matrix = MatrixDescriptor.decode(bits);
        matrix.rowRefusal(reader.transposed() ? 2 * reader.rows() : MmaShape.DEPTH)
                .ifPresent(rule -> {
                    throw new HazardFound(new Hazard.BadDescriptor(name, bits, rule));
                });
        reader.chunks(matrix, visitor);
    }

    public void commit(Warp warp) {
        int rank = rank(warp);
        committed[rank] = issued[rank];
        groups.get(rank).addLast(issued[rank]);
    }

    /** Whether at most that many groups of the warp are unfinished; if not, another warp has not issued its part. */
    public boolean waitFor(Warp warp, int allowed) {
        Deque<Long> own = groups.get(rank(warp));
        long until = 0;
        int finished = own.size() - allowed;
        for (long end : own) {
            if (finished-- <= 0) {
                break;
            }
            until = end;
        }
        if (until == 0) {
            return true;
        }
        List<MmaOperation> batch = new ArrayList<>();
        for (MmaOperation operation : pending) {
            if (first + batch.size() > until) {
                break;
            }
            if (operation.issued != ALL) {
                return false;
            }
            batch.add(operation);
        }
        if (!batch.isEmpty()) {
            unit.multiply(batch);
            for (MmaOperation operation : batch) {
                operation.release(shared);
                pending.removeFirst();
                first++;
            }
        }
        while (own.size() > allowed) {
            own.removeFirst();
        }
        warp.wgmmaRegisters().waitedFor(until);
        warp.order().completed(-1, products, (int) until);
        return true;
    }

    public void whenIssued(Runnable waiter) {
        waiters.add(waiter);
    }

    /** A warp executes a setmaxnreg, which all warps of the warpgroup must, one by one the same. */
    public void changeRegisters(Warp warp, int pc) {
        int executed = changesOfWarp[rank(warp)]++;
        if (executed == registerChanges.size()) {
            registerChanges.add(pc);
        } else if (registerChanges.get(executed) != pc) {
            throw new HazardFound(
                    new Hazard.RegisterPool("the warps of a warpgroup execute different ones; warp " + warp.index()));
        }
    }

    /** The warps of this group, for evidence. */
    public String waitingFor() {
        return pending.isEmpty()
                ? "wgmma"
                : "all warps " + warps.getFirst().index() + ".."
                        + warps.getLast().index() + " to issue " + pending.getFirst();
    }

    /** The CTA ends: no wgmma may be under way, and each setmaxnreg must have been executed by all. */
    public void requireIdle() {
        for (int executed : changesOfWarp) {
            if (executed != registerChanges.size()) {
                throw new HazardFound(new Hazard.RegisterPool("not executed by all warps "
                        + warps.getFirst().index() + ".." + warps.getLast().index() + " of a warpgroup"));
            }
        }
        if (!pending.isEmpty()) {
            throw new HazardFound(new Hazard.LeakedWork(pending.getFirst() + ", for which nobody waited"));
        }
    }
}
