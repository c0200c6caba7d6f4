package dev.tilewright.emulator.hazard;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A fault of a kernel. Each kind carries its evidence; {@link #message()} says it in a sentence. */
public sealed interface Hazard {
    String message();

    /**
     * Nobody can go on.
     *
     * @param waiters of each instruction at which somebody waits, some
     * @param others who wait at the same instructions
     */
    record Deadlock(List<Waiter> waiters, int others) implements Hazard {
        public Deadlock {
            waiters = List.copyOf(waiters);
        }

        @Override
        public String message() {
            return "deadlock: " + waiters.stream().map(Waiter::toString).collect(Collectors.joining("; "))
                    + (others == 0 ? "" : "; and " + others + " more at the same instructions");
        }
    }

    /**
     * Steps went on without end.
     *
     * @param steps that were too many
     * @param quiet whether it is so long ago that anybody did what others can see; else it is the limit of all steps
     * @param waiters of each instruction at which somebody waits or asks again and again, some
     * @param others who are at the same instructions
     */
    record NoProgress(long steps, boolean quiet, List<Waiter> waiters, int others) implements Hazard {
        public NoProgress {
            waiters = List.copyOf(waiters);
        }

        /** The fault, without the list of waiters. */
        public String summary() {
            return quiet
                    ? "no end: for " + steps + " steps nobody has done anything that others can see"
                    : "no end after " + steps + " steps, the most that a run may take";
        }

        @Override
        public String message() {
            return summary()
                    + waiters.stream().map(waiter -> "; " + waiter).collect(Collectors.joining())
                    + (others == 0 ? "" : "; and " + others + " more at the same instructions");
        }
    }

    /** Shared memory was read while a copy into it was under way, or before anybody waited for it. */
    record ReadBeforeCopy(String range, String reader, String copy) implements Hazard {
        @Override
        public String message() {
            return "read before the copy landed: " + reader + " reads " + range + ", " + copy;
        }
    }

    /** Shared memory was overwritten while an asynchronous reader that nobody waited for owns it. */
    record OverwrittenWhileRead(String range, String writer, String reader) implements Hazard {
        @Override
        public String message() {
            return "overwritten while read: " + writer + " writes " + range + ", which " + reader
                    + " reads and nobody waited for";
        }
    }

    /** A copy was overwritten before anybody waited for it. */
    record OverwrittenUnread(String range, String writer, String copy) implements Hazard {
        @Override
        public String message() {
            return "overwritten before read: " + writer + " writes " + range + ", " + copy;
        }
    }

    /**
     * An access by a thread and an asynchronous access, without a fence between the proxies between them.
     *
     * @param missing the fence, or an order behind it
     * @param access the asynchronous one
     * @param before what the thread did with the range, and where
     * @param why in words
     */
    record MissingProxyFence(String missing, String range, String access, String before, String why) implements Hazard {
        @Override
        public String message() {
            return "missing " + missing + ": " + access + " accesses " + range + ", " + before + ": " + why;
        }
    }

    /**
     * A register of a wgmma was touched before its wait.
     *
     * @param touch line and text of the instruction that touches it
     * @param wgmma line and text of the one that still writes it
     */
    record AccumulatorInFlight(String register, String touch, String wgmma) implements Hazard {
        @Override
        public String message() {
            return "accumulator in flight: " + touch + " touches register " + register + " before a wgmma.wait_group"
                    + " covers the wgmma that accumulates into it, " + wgmma;
        }
    }

    /**
     * A fragment of A was written before the wait for the wgmma that reads it.
     *
     * @param touch line and text of the instruction that writes it
     * @param wgmma line and text of the one that still reads it
     */
    record FragmentInFlight(String register, String touch, String wgmma) implements Hazard {
        @Override
        public String message() {
            return "fragment in flight: " + touch + " writes register " + register + " before a wgmma.wait_group"
                    + " covers the wgmma that reads it, " + wgmma;
        }
    }

    /**
     * A wgmma follows a touch of its registers without wgmma.fence.
     *
     * @param wgmma its line and text
     * @param touch line and text of what touched the register last, or that nothing did
     */
    record MissingWgmmaFence(String register, String wgmma, String touch) implements Hazard {
        @Override
        public String message() {
            return "missing wgmma.fence: the wgmma of " + wgmma + " takes register " + register + " and " + touch;
        }
    }

    /** A register of a tcgen05.ld was overwritten before its wait. */
    record TensorLoadInFlight(String register) implements Hazard {
        @Override
        public String message() {
            return "tensor load in flight: register " + register
                    + " is overwritten before a tcgen05.wait::ld covers its tcgen05.ld";
        }
    }

    /** Tensor memory was allocated, given back or addressed against its rules. */
    record TensorMemoryMisuse(String rule) implements Hazard {
        @Override
        public String message() {
            return "tensor memory misuse: " + rule;
        }
    }

    /**
     * Cluster launch control was used against its rules.
     *
     * @param barriers of the answers concerned, as they stood
     */
    record LaunchControlMisuse(String rule, List<BarrierState> barriers) implements Hazard {
        public LaunchControlMisuse {
            barriers = List.copyOf(barriers);
        }

        @Override
        public String message() {
            return "cluster launch control misuse: " + rule
                    + barriers.stream().map(barrier -> "; " + barrier).collect(Collectors.joining());
        }
    }

    /**
     * A CTA may exit while another one of its cluster still reaches into its shared memory.
     *
     * @param visit what nobody waited for
     * @param location in the memory of the CTA
     * @param missing what would have made an order
     */
    record EarlyExit(Race.Side visit, String location, int cta, String missing) implements Hazard {
        @Override
        public String message() {
            return "exit too early: CTA " + cta + " may have ended before " + visit + " reaches " + location + ": "
                    + missing;
        }
    }

    /** An access reached the shared memory of a CTA that has exited. */
    record ExitedCta(String access, int cta) implements Hazard {
        @Override
        public String message() {
            return access + " in the shared memory of CTA " + cta + ", which has exited";
        }
    }

    /**
     * Bytes announced and bytes that came do not match, and nothing is under way that would change it.
     *
     * @param when in words, to follow the barrier
     * @param announced bytes of this phase
     * @param come bytes of this phase
     * @param announcedBy the last expect_tx on the barrier
     * @param cameBy the last copy or store counted on it
     */
    record UnbalancedTx(
            BarrierState barrier,
            String when,
            long announced,
            long come,
            Optional<Site> announcedBy,
            Optional<Site> cameBy)
            implements Hazard {
        @Override
        public String message() {
            return "tx-count can never balance: " + barrier + " " + when + "; in this phase " + announced
                    + " bytes were announced and " + come + " came"
                    + announcedBy.map(site -> "; last announced by " + site).orElse("; nobody announced any")
                    + cameBy.map(site -> "; last come from " + site).orElse("; none ever came");
        }
    }

    /** There is no barrier at the address. */
    record NoBarrier(String address, String use) implements Hazard {
        @Override
        public String message() {
            return "barrier used before init: " + use + " at " + address + ", where no mbarrier is initialised";
        }
    }

    /** A barrier's init was ordered by no fence and no barrier before a copy or the cluster uses it. */
    record InitNotVisible(BarrierState barrier, String use) implements Hazard {
        @Override
        public String message() {
            return "init not visible: " + use + " uses " + barrier
                    + ", whose thread executed no fence.mbarrier_init after its init";
        }
    }

    /** A barrier was used against its rules. */
    record BarrierMisuse(String barrier, String rule) implements Hazard {
        @Override
        public String message() {
            return "barrier misuse: " + rule + ": " + barrier;
        }
    }

    /** A waiter fell two phases behind, so that parity no longer tells them apart. */
    record PhaseOverrun(BarrierState barrier, int waitedPhase) implements Hazard {
        @Override
        public String message() {
            return "phase overrun: waiting for phase " + waitedPhase + " of " + barrier;
        }
    }

    /**
     * Two accesses to the same bytes, at least one of them a write, and no order between them.
     *
     * @param earlier the one that came first in this run
     * @param later the one at which the race showed
     * @param range the bytes, in terms of variables or buffers
     * @param missing what would have made an order
     */
    record Race(Side earlier, Side later, String range, String missing) implements Hazard {
        /** One of the two accesses: its kind and its site. */
        public record Side(String access, Site site) {
            @Override
            public String toString() {
                return "the " + access + " of " + site;
            }
        }

        @Override
        public String message() {
            return "race on " + range + ": " + later + " is not ordered behind " + earlier + ": " + missing;
        }
    }

    /**
     * A relaxed load may find the old value although its thread has a sign that the new one was written.
     *
     * @param write that it may miss
     * @param load that may miss it
     * @param range the bytes, in terms of variables or buffers
     * @param missing what would have made an order
     */
    record RelaxedMessage(Race.Side write, Race.Side load, String range, String missing) implements Hazard {
        @Override
        public String message() {
            return "relaxed message: " + load + " may find the old value of " + range
                    + ", for it is not ordered behind " + write + ": " + missing;
        }
    }

    /**
     * Global memory was accessed while the grid ahead of the launch may still write there.
     *
     * @param access what it is, in a word or two
     * @param location of the first byte: buffer and offset
     */
    record GridAheadNotAwaited(String access, String location) implements Hazard {
        @Override
        public String message() {
            return "grid ahead not awaited: the " + access + " at " + location
                    + " comes behind no griddepcontrol.wait, and the grid ahead of this launch may still be at work"
                    + " there";
        }
    }

    /** A value that nobody wrote was read. */
    record UninitialisedRead(String what) implements Hazard {
        @Override
        public String message() {
            return "uninitialised read: " + what;
        }
    }

    /** An address outside of what there is. */
    record OutOfBounds(String what) implements Hazard {
        @Override
        public String message() {
            return "out of bounds: " + what;
        }
    }

    /**
     * An address that is no multiple of what the access needs.
     *
     * @param address with its space, and the variable or buffer
     */
    record Misaligned(String what, String address, int alignment) implements Hazard {
        @Override
        public String message() {
            return "misaligned: " + what + " at " + address + " needs a multiple of " + alignment;
        }
    }

    /** A matrix descriptor that names no matrix. */
    record BadDescriptor(String operand, long descriptor, String rule) implements Hazard {
        @Override
        public String message() {
            return "wrong descriptor: " + operand + " 0x" + Long.toHexString(descriptor) + ": " + rule;
        }
    }

    /** Work that was under way when its CTA exited. */
    record LeakedWork(String what) implements Hazard {
        @Override
        public String message() {
            return "leaked at exit: " + what;
        }
    }

    /** Registers asked for or given back against the rules of setmaxnreg. */
    record RegisterPool(String rule) implements Hazard {
        @Override
        public String message() {
            return "setmaxnreg: " + rule;
        }
    }

    /** An instruction that needs several lanes or warps together was executed by others. */
    record Divergent(String rule) implements Hazard {
        @Override
        public String message() {
            return "divergent: " + rule;
        }
    }

    /**
     * The kernel ended itself.
     *
     * @param message trap, or the function of the driver that was called, with what it was to say
     */
    record Trapped(String message) implements Hazard {}

    /** An operand that the instruction does not take. */
    record BadOperand(String rule) implements Hazard {
        @Override
        public String message() {
            return "bad operand: " + rule;
        }
    }
}
