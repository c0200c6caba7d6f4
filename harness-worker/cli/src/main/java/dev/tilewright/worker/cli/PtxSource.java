package dev.tilewright.worker.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Files that hold a kernel and are no PTX, by the end of their name, with the way from each to PTX. */
enum PtxSource {
    CUDA(".cu", "is CUDA C++", "nvcc -ptx -arch=sm_90a %1$s -o %2$s.ptx, then tilewright check %2$s.ptx"),
    FATBIN(".fatbin", "is a fatbin", "cuobjdump -xptx all %1$s writes the PTX that is in it; check that"),
    OBJECT(".o", "is an object file", "cuobjdump -xptx all %1$s writes the PTX that is in it; check that"),
    CUBIN(".cubin", "is a cubin, which has no PTX in it", "compile its source with nvcc -ptx, and check that"),
    PYTHON(
            ".py",
            "is Python",
            "Triton keeps the PTX of a kernel in its cache; tilewright bundle from-triton reads that");

    private final String end;
    private final String is;
    private final String way;

    PtxSource(String end, String is, String way) {
        this.end = end;
        this.is = is;
        this.way = way;
    }

    /** Tells in one line how to get PTX from a file of this kind; empty if the kind is not known. */
    static Optional<String> wayToPtx(Path file) {
        String name = file.toString();
        return Stream.of(values())
                .filter(source -> name.toLowerCase(Locale.ROOT).endsWith(source.end))
                .findFirst()
                .map(source -> name + " " + source.is + "; "
                        + String.format(source.way, name, name.substring(0, name.length() - source.end.length())));
    }
}
