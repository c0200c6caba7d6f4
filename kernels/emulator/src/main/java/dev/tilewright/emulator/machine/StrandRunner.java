package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Unwritten;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.program.Instr;
import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.program.Reach;
import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.emulator.schedule.StrandScheduler;
import dev.tilewright.emulator.warp.RegisterMap;
import dev.tilewright.emulator.warp.RunCounts;
import dev.tilewright.emulator.warp.Warp;
import org.jspecify.annotations.Nullable;

/** Runs a strand for some instructions: guards, branches, parting and meeting of lanes. */
final class StrandRunner {
    private final Operation[] operations;
    private final Instr[] code;
    private final RegisterMap registers;
    private final StrandScheduler<Strand> scheduler;
    private final Order happensBefore;
    private final Interleaving choices;
    private final RunCounts tally;

    StrandRunner(Executable executable, Device device, StrandScheduler<Strand> scheduler) {
        this.scheduler = scheduler;
        operations = executable.operations();
        Program program = executable.program();
        code = program.code();
        registers = program.registers();
        happensBefore = device.happensBefore();
        choices = device.choices();
        tally = device.tally();
    }

    /** Runs until the burst is over, or the strand sleeps, parts, meets or ends. */
    void run(Strand strand) {
        long steps = tally.steps();
        long changes = tally.changes();
        runBurst(strand);
        strand.warp().polling().ran(tally.steps() - steps, changes, tally.changes());
    }

    private void runBurst(Strand strand) {
        Warp warp = strand.warp();
        happensBefore.acts(strand);
        int burst = choices.burst();
        while (burst-- > 0) {
            Instr instr = code[strand.pc];
            tally.step();
            int mask = strand.mask;
            if (instr.guard >= 0) {
                int id = registers.predicateId(instr.guard);
                if (!warp.isDefined(id, mask)) {
                    warp.requireDefined(new int[] {id}, mask);
                }
                int predicate = warp.predicates[instr.guard];
                mask &= instr.negated ? ~predicate : predicate;
            }
            if (instr.target >= 0) {
                if (mask != 0 && mask != strand.mask) {
                    part(strand, mask, instr);
                    return;
                }
                strand.pc = mask == 0 ? strand.pc + 1 : instr.target;
            } else if (mask == 0) {
                strand.pc++;
            } else if (instr.jump != null) {
                if (!jump(strand, mask, instr, instr.jump)) {
                    return;
                }
            } else {
                if (instr.split >= 0 && Integer.bitCount(strand.mask) > 1 && choices.split()) {
                    runApart(strand, instr.split);
                    return;
                }
                if (!execute(strand, instr, mask)) {
                    return;
                }
            }
            if (strand.join != null && strand.pc == strand.join.pc) {
                meet(strand);
                return;
            }
        }
        scheduler.ready(strand);
    }

    /** Executes; false if the strand is no longer to run now. */
    private boolean execute(Strand strand, Instr instr, int mask) {
        Warp warp = strand.warp();
        int undefined = warp.undefined(instr.reads, mask);
        if (undefined != 0 && !instr.computes && !instr.multiplies) {
            warp.requireDefined(instr.reads, mask);
        }
        Unwritten source = undefined == 0 ? null : warp.source(instr.reads, undefined);
        if (instr.touches.length > 0) {
            warp.touch(instr.pc, instr.touches, instr.reads, instr.writes);
        }
        Outcome outcome = operations[instr.pc].execute(strand, mask);
        if (instr.effect != Reach.OWN) {
            strand.acted();
            if (instr.effect == Reach.CHANGES) {
                tally.change();
            } else {
                warp.polling().looks(instr.pc);
            }
        }
        switch (outcome) {
            case NEXT -> {
                warp.define(instr.writes, mask);
                if (undefined != 0 && instr.computes) {
                    warp.undefine(instr.writes, undefined, source);
                }
                if (instr.loads) {
                    strand.gotAll();
                }
                if (instr.loads || instr.multiplies) {
                    warp.undefineNow();
                }
                strand.pc++;
                return true;
            }
            case RETRY -> {
                scheduler.sleeps(strand);
                return false;
            }
            case SLEEP -> {
                strand.pc++;
                scheduler.sleeps(strand);
                return false;
            }
            case PART -> {
                spawn(strand.apart(strand.parted(), strand.pc, strand.join));
                spawn(strand.apart(strand.mask & ~strand.parted(), strand.pc, strand.join));
                return false;
            }
            case EXIT -> {
                exit(strand, mask);
                return false;
            }
        }
        throw new IllegalStateException("no such outcome: " + outcome);
    }

    private void part(Strand strand, int taken, Instr instr) {
        Join join = joinAt(strand, instr.join);
        spawn(strand.apart(taken, instr.target, join));
        spawn(strand.apart(strand.mask & ~taken, strand.pc + 1, join));
    }

    /** Sends each lane where its index says; false if they parted. */
    private boolean jump(Strand strand, int mask, Instr instr, Instr.Jump jump) {
        Warp warp = strand.warp();
        warp.requireDefined(instr.reads, mask);
        int[] targets = jump.targets();
        int[] lanesOf = new int[targets.length];
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long index = jump.index().word(warp, lane) & 0xFFFFFFFFL;
            if (index >= targets.length) {
                strand.at(lane);
                throw new HazardFound(
                        new Hazard.BadOperand("brx.idx with index " + index + " of a table of " + targets.length));
            }
            // Entries with the same target are one way.
            int way = 0;
            while (targets[way] != targets[(int) index]) {
                way++;
            }
            lanesOf[way] |= 1 << lane;
        }
        Join join = joinAt(strand, instr.join);
        for (int way = 0; way < targets.length; way++) {
            if (lanesOf[way] == strand.mask) {
                strand.pc = targets[way];
                return true;
            }
            if (lanesOf[way] != 0) {
                spawn(strand.apart(lanesOf[way], targets[way], join));
            }
        }
        if (mask != strand.mask) {
            spawn(strand.apart(strand.mask & ~mask, strand.pc + 1, join));
        }
        return false;
    }

    /** Lets some lanes run ahead of the others, as the hardware may wherever nothing keeps them together. */
    private void runApart(Strand strand, int meeting) {
        int ahead = choices.someOf(strand.mask);
        Join join = joinAt(strand, meeting);
        spawn(strand.apart(ahead, strand.pc, join));
        spawn(strand.apart(strand.mask & ~ahead, strand.pc, join).leftBehind());
    }

    private static @Nullable Join joinAt(Strand strand, int pc) {
        Join outer = strand.join;
        if (pc < 0 || (outer != null && outer.pc == pc)) {
            return outer;
        }
        return new Join(pc, strand.mask, outer);
    }

    private void spawn(Strand strand) {
        if (strand.join != null && strand.pc == strand.join.pc) {
            meet(strand);
        } else {
            scheduler.ready(strand);
        }
    }

    private void meet(Strand strand) {
        Join join = strand.join;
        if (join != null) {
            join.arrived |= strand.mask;
            goOn(strand, join);
        }
    }

    private void goOn(Strand strand, Join join) {
        if (join.arrived == join.expected && join.expected != 0) {
            spawn(strand.apart(join.arrived, join.pc, join.parent));
            join.expected = 0;
        }
    }

    private void exit(Strand strand, int lanes) {
        Warp warp = strand.warp();
        Cta cta = strand.cta();
        if (warp.clusterArrived() != 0 && (warp.clusterArrived() & lanes) != 0 && lanes != strand.mask) {
            throw new HazardFound(new Hazard.Divergent("some lanes exit between the halves of a cluster barrier"));
        }
        for (Join join = strand.join; join != null; join = join.parent) {
            join.expected &= ~lanes;
        }
        cta.exit(warp, lanes);
        int rest = strand.mask & ~lanes;
        if (rest != 0) {
            spawn(strand.apart(rest, strand.pc + 1, strand.join));
        } else if (strand.join != null) {
            // Whoever waits for these lanes need not any more.
            for (Join join = strand.join; join != null; join = join.parent) {
                if (join.expected != 0 && join.arrived == join.expected) {
                    goOn(strand, join);
                    break;
                }
            }
        }
        cta.bulkGroups(warp).exit(lanes);
    }
}
