package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Waiter;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.schedule.Scheduler;
import dev.tilewright.ptx.instruction.StateBarrier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The strands that sleep: released where they may give up, and named when nobody can go on. */
final class Waiters {
    /** Waiters of one instruction that are named. */
    private static final int MAX_WAITERS_NAMED = 8;

    private final Instr[] code;
    private final Scheduler<Strand> scheduler;

    Waiters(Program program, Scheduler<Strand> scheduler) {
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

    /** Releases all for whom the program has a way on, which may count its turns; whether there are any. */
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

    /** What there is to say when nobody can go on. */
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
        Map<Instr, List<Strand>> places = places();
        int all = places.values().stream().mapToInt(List::size).sum();
        List<Waiter> named = places.values().stream()
                .flatMap(there -> there.stream().limit(MAX_WAITERS_NAMED))
                .map(strand -> new Waiter(strand.site(), strand.reason()))
                .toList();
        return new HazardFound(
                new Hazard.Deadlock(named, all - named.size()), named.getFirst().site());
    }

    /** Who waits, by instructions: those for mbarriers first, the others in the order in which they went to sleep. */
    private Map<Instr, List<Strand>> places() {
        Map<Instr, List<Strand>> places = new LinkedHashMap<>();
        scheduler.sleeping().stream()
                .sorted(Comparator.comparing(strand -> !isMbarrierWait(code[strand.sleptAt()])))
                .forEach(strand -> places.computeIfAbsent(code[strand.sleptAt()], at -> new ArrayList<>())
                        .add(strand));
        return places;
    }

    private static boolean isMbarrierWait(Instr instr) {
        return instr.source instanceof dev.tilewright.ptx.instruction.Mbarrier.Wait
                || instr.source instanceof StateBarrier.Wait;
    }
}
