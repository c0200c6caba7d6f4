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
                .map(file -> new KernelLink(
                        switch (file) {
                            case PTX -> "PTX";
                            case CUBIN -> "Cubin";
                            case LAUNCH -> "Launch";
                        },
                        "/trials/" + trialId + "/"
                                + switch (file) {
                                    case PTX -> "kernel.ptx";
                                    case CUBIN -> "kernel.cubin";
                                    case LAUNCH -> "launch.json";
                                }))
                .toList();
    }
}
