package dev.tilewright.api.web;

import dev.tilewright.api.kernel.KernelPart;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Where a browser gets a file of a kernel. */
public record KernelLink(String name, String href) {

    /** One for each file that is kept of a trial. */
    public static List<KernelLink> of(UUID trialId, Set<KernelPart> kept) {
        return kept.stream()
                .sorted()
                .map(file -> switch (file) {
                    case PTX -> of(trialId, "PTX", "kernel.ptx");
                    case CUBIN -> of(trialId, "Cubin", "kernel.cubin");
                    case LAUNCH -> of(trialId, "Launch", "launch.json");
                })
                .toList();
    }

    private static KernelLink of(UUID trialId, String name, String file) {
        return new KernelLink(name, "/trials/" + trialId + "/" + file);
    }
}
