package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Waiter;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.schedule.StrandScheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The strands that sleep: released where they may give up, and named when nobody can go on. */
final class Waiters {
    /** Waiters of one instruction that are named. */
    private static final int MAX_WAITERS_NAMED = 8;

    private final Instr[] code;
    private final StrandScheduler<Strand> scheduler;

    Waiters(Program program, StrandScheduler<Strand> scheduler) {
        code = program.code();
        this.scheduler = scheduler;
    }

    /** Releases those who may do something else meanwhile: not who has just shown that he asks again and no more. */
    void release() {
        for (Strand strand : scheduler.sleeping()) {
            if (mayGiveUp(strand) && !strand.isSpinning()) {
                strand.release();
            }
        }
    }

    /** Releases all for whom the program has a way on, which may count how often it looked; whether there are any. */
    boolean releaseAll() {
        boolean any = false;
        for (Strand strand : scheduler.sleeping()) {
            if (mayGiveUp(strand)) {
                strand.release();
                any = true;
            }
        }
        return any;
    }

    /** Whether it is at a wait for an mbarrier that is not a mere spin. */
    private boolean mayGiveUp(Strand strand) {
        return isMbarrierWait(code[strand.pc]) && code[strand.pc + 1].target != strand.pc;
    }

    /** The deadlock to report when no strand can continue. */
    HazardFound deadlock(List<Cluster> running) {
        for (Cluster cluster : running) {
            for (Cta cta : cluster.ctas()) {
                for (Mbarrier barrier : cta.shared().liveBarriers()) {
                    if (barrier.pending() == 0 && barrier.tx() != 0) {
                        return barrier.unbalanced("with nothing under way");
                    }
                }
            }
        }
        Map<Instr, List<Strand>> asleep = asleep();
        List<Waiter> named = named(asleep, strand -> new Waiter(strand.site(), strand.reason()));
        return new HazardFound(
                new Hazard.Deadlock(named, count(asleep) - named.size()),
                named.getFirst().site());
    }

    /**
     * The hazard to report when a run takes more steps than its limit.
     *
     * @param steps that were too many
     * @param quiet whether nobody has done anything in them
     */
    HazardFound endless(long steps, boolean quiet) {
        Map<Instr, List<Strand>> running = new LinkedHashMap<>();
        for (Strand strand : scheduler.running()) {
            running.computeIfAbsent(code[strand.looksAt()], at -> new ArrayList<>())
                    .add(strand);
        }
        List<Waiter> named = new ArrayList<>(named(running, Waiters::runner));
        Map<Instr, List<Strand>> asleep = asleep();
        named.addAll(named(asleep, strand -> new Waiter(strand.site(), strand.reason())));
        int others = count(running) + count(asleep) - named.size();
        return new HazardFound(
                new Hazard.NoProgress(steps, quiet, named, others),
                named.isEmpty() ? null : named.getFirst().site());
    }

    private static Waiter runner(Strand strand) {
        return new Waiter(
                strand.lookSite(),
                strand.polls() ? "what others do, and asks again and again" : "nobody: it can go on");
    }

    private static int count(Map<Instr, List<Strand>> strands) {
        return strands.values().stream().mapToInt(List::size).sum();
    }

    private static List<Waiter> named(Map<Instr, List<Strand>> strands, Function<Strand, Waiter> waiter) {
        return strands.values().stream()
                .flatMap(there -> there.stream().limit(MAX_WAITERS_NAMED))
                .map(waiter)
                .toList();
    }

    /** Sleeping strands by instruction: mbarrier waits first, the others in the order in which they fell asleep. */
    private Map<Instr, List<Strand>> asleep() {
        Map<Instr, List<Strand>> asleep = new LinkedHashMap<>();
        scheduler.sleeping().stream()
                .sorted(Comparator.comparing(strand -> !isMbarrierWait(code[strand.sleptAt()])))
                .forEach(strand -> asleep.computeIfAbsent(code[strand.sleptAt()], at -> new ArrayList<>())
                        .add(strand));
        return asleep;
    }

    private static boolean isMbarrierWait(Instr instr) {
        return instr.source instanceof dev.tilewright.ptx.instruction.Mbarrier.Wait;
    }
}
