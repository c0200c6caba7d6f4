package dev.tilewright.emulator.execute;

import dev.tilewright.emulator.barrier.Mbarrier;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Cluster;
import dev.tilewright.emulator.machine.Cta;
import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Strand;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.emulator.tcgen05.Issue;
import dev.tilewright.emulator.tcgen05.Issue.CommitTarget;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** tcgen05.commit: at which barriers of the cluster it arrives. PTX 9.7.16.12.1. */
final class CommitOperations {
    private CommitOperations() {}

    static Operation decode(Tcgen05.Commit commit, Operands operands) {
        MemoryOperand barrier = MemoryOperand.of(commit.barrier(), operands);
        Optional<SourceOperand> ranks = commit.multicast().map((Reg<B16> mask) -> operands.value(mask));
        return Lanes.access((strand, lane) -> {
            int address = barrier.shared(strand.warp(), lane);
            List<CommitTarget> targets = ranks.isEmpty()
                    ? List.of(target(strand, strand.cluster().cta(address, "tcgen05.commit"), address))
                    : multicast(strand, address, ranks.get().word(strand.warp(), lane) & 0xFFFF);
            Issue.commit(strand, commit.group(), targets);
        });
    }

    private static List<CommitTarget> multicast(Strand strand, int address, int ranks) {
        Cluster cluster = strand.cluster();
        if (ranks == 0 || ranks >>> cluster.ctas().size() != 0) {
            throw new HazardFound(new Hazard.BadOperand("multicast mask 0x" + Integer.toHexString(ranks)
                    + " in a cluster of " + cluster.ctas().size() + " CTAs"));
        }
        List<CommitTarget> targets = new ArrayList<>();
        for (Cta cta : cluster.ctas()) {
            if ((ranks >>> cta.rank() & 1) != 0) {
                targets.add(target(strand, cluster.cta(cta.coordinates().window(0), "tcgen05.commit"), address));
            }
        }
        return targets;
    }

    private static CommitTarget target(Strand strand, Cta cta, int address) {
        Mbarrier barrier = cta.shared().barrier(Cluster.offset(address), "tcgen05.commit");
        if (cta != strand.cta()) {
            barrier.requireVisible("tcgen05.commit", strand.cta().id());
        }
        return new CommitTarget(cta.tensorUnit(), barrier);
    }
}
