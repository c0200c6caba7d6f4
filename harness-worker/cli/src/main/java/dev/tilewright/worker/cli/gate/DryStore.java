package dev.tilewright.worker.cli.gate;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.worker.cli.BundleUpload;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Stands in for a service that has kept nothing yet. */
final class DryStore implements GateStore {

    private final Map<String, BundleSpace> kept = new HashMap<>();

    @Override
    public String keep(BundleUpload upload) {
        BundleSpace space = BundleSpace.of(upload.bundle());
        kept.put(space.family(), space);
        return space.family();
    }

    /** Without a run there are none. */
    @Override
    public Map<String, GateKernel> candidates(String gate, String commit) {
        return Map.of();
    }

    /** The bundle of a family; empty if it is none that was built or read here. */
    Optional<BundleSpace> find(String family) {
        return Optional.ofNullable(kept.get(family));
    }
}
