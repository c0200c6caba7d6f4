package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.MbarrierUse;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.validate.Diagnostic.Rule;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every array of mbarriers that is used is initialised; one that is waited on has somebody who arrives; one that bytes
 * complete on has somebody who expects them. An address that cannot be followed is given the benefit of the doubt.
 */
final class BarrierRules {
    private enum Use {
        INIT("initialised"),
        ARRIVE("arrived at"),
        EXPECT("told to expect bytes"),
        BYTES("completed with bytes"),
        WAIT("waited on"),
        END("invalidated");

        private final String words;

        Use(String words) {
            this.words = words;
        }
    }

    private final Entry entry;
    private final Diagnostics findings;
    private final SharedPointers pointers;
    private final Map<Use, Set<SharedRegion>> uses = new EnumMap<>(Use.class);
    /** Uses whose barrier is not known: they may mean any. */
    private final Set<Use> anywhere = EnumSet.noneOf(Use.class);

    private BarrierRules(Entry entry, Diagnostics findings) {
        this.entry = entry;
        this.findings = findings;
        this.pointers = new SharedPointers(entry);
        for (Use use : Use.values()) {
            uses.put(use, new HashSet<>());
        }
    }

    static void check(Entry entry, Diagnostics findings) {
        BarrierRules rules = new BarrierRules(entry, findings);
        for (int i = 0; i < entry.body().size(); i++) {
            int statement = i;
            Diagnostics.instruction(entry.body().get(i)).ifPresent(instruction -> rules.visit(statement, instruction));
        }
        rules.conclude();
    }

    private void visit(int statement, Instruction instruction) {
        if (instruction instanceof MbarrierUse use) {
            uses(use).forEach(kind -> note(kind, statement, use.barrier()));
        }
    }

    private static Set<Use> uses(MbarrierUse instruction) {
        return switch (instruction) {
            case Mbarrier.Init _ -> EnumSet.of(Use.INIT);
            case Mbarrier.Invalidate _ -> EnumSet.of(Use.END);
            case Mbarrier.Arrive _, AsyncCopy.ArriveWhenDone _, Tcgen05.Commit _ -> EnumSet.of(Use.ARRIVE);
            case Mbarrier.ArriveExpectTx _ -> EnumSet.of(Use.ARRIVE, Use.EXPECT);
            case Mbarrier.ExpectTx _ -> EnumSet.of(Use.EXPECT);
            case Mbarrier.CompleteTx _,
                    BulkCopy.TensorLoad _,
                    BulkCopy.Load _,
                    BulkCopy.SharedToCluster _,
                    BulkCopy.ReduceToCluster _,
                    Memory.StoreAsync _,
                    Memory.ReduceAsync _,
                    ClusterLaunchControl.TryCancel _ -> EnumSet.of(Use.BYTES);
            case Mbarrier.Wait _ -> EnumSet.of(Use.WAIT);
        };
    }

    private void note(Use use, int statement, Address address) {
        Set<Long> offsets = pointers.offsets(address);
        if (offsets.isEmpty()) {
            anywhere.add(use);
        }
        for (long offset : offsets) {
            Optional<SharedRegion> region = entry.dynamicShared().at(offset);
            if (region.isPresent() && region.get().kind() == SharedRegion.Kind.BARRIERS) {
                uses.get(use).add(region.get());
            } else {
                findings.add(
                        Rule.BARRIER_INIT,
                        statement,
                        "no barrier at byte " + offset + " of the dynamic shared memory ("
                                + region.map(r -> "region " + r.name()).orElse("no region") + ")");
            }
        }
    }

    private void conclude() {
        for (SharedRegion region : entry.dynamicShared().regions()) {
            for (Use use : Use.values()) {
                if (use != Use.INIT && uses.get(use).contains(region) && !may(Use.INIT, region)) {
                    findings.add(
                            Rule.BARRIER_INIT,
                            "barrier " + region.name() + " is " + use.words + " but never initialised");
                }
            }
            if (uses.get(Use.WAIT).contains(region) && !may(Use.ARRIVE, region)) {
                findings.add(
                        Rule.BARRIER_PRODUCER,
                        "barrier " + region.name() + " is waited on but nobody arrives"
                                + (may(Use.BYTES, region) ? " (bytes alone complete no phase)" : ""));
            }
            if (uses.get(Use.BYTES).contains(region) && !may(Use.EXPECT, region)) {
                findings.add(
                        Rule.BARRIER_BYTES,
                        "barrier " + region.name() + " is completed with bytes but nobody expects any");
            }
        }
    }

    private boolean may(Use use, SharedRegion region) {
        return anywhere.contains(use) || uses.get(use).contains(region);
    }
}
