package dev.tilewright.launch.program;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.ScalarRole;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The kernels for a range of M as one program: it launches the kernel of an M with the numbers that Tilewright passes
 * with this M when it measures. An M between two of them may have no kernel.
 *
 * @param name of the program: files, functions and the operator begin with it
 * @param title of the table, on one line
 * @param problem what is computed, for people
 * @param hash of the table, so that ranks can tell whether they launch the same kernels
 * @param members the kernels, each with the M for which it is launched
 * @param leastSms SMs of the smallest GPU that the grids are for
 * @param dealProbe text of the kernel that looks how a GPU deals clusters out
 */
public record RangeProgram(
        String name, String title, String problem, String hash, List<Member> members, int leastSms, String dealProbe) {

    /** M above which a range is not exported: each is looked at. */
    public static final int MOST_ROWS = 1 << 20;

    /**
     * A kernel of the table.
     *
     * @param title of the kernel, on one line
     * @param cubin of the text, where somebody assembled it
     * @param reaches the M for which it is launched
     * @param launches the launch with an M
     */
    public record Member(
            String title,
            String ptx,
            Optional<byte[]> cubin,
            List<Reach> reaches,
            IntFunction<LaunchDescription> launches) {

        public Member {
            KernelProgram.requireRemark(title);
            reaches = List.copyOf(reaches);
        }
    }

    /** The M from one to another, for all of which one kernel is launched. */
    public record Reach(int from, int to) {}

    public RangeProgram {
        KernelProgram.requireName(name);
        KernelProgram.requireRemark(title);
        KernelProgram.requireRemark(hash);
        members = List.copyOf(members);
        int last = 0;
        for (Reach reach : members.stream()
                .flatMap(member -> member.reaches().stream())
                .sorted(Comparator.comparingInt(Reach::from))
                .toList()) {
            if (reach.from() <= last || reach.to() < reach.from()) {
                throw new IllegalArgumentException("one kernel is launched with each M of a range, got M = "
                        + reach.from() + " to " + reach.to() + " behind M = " + last);
            }
            last = reach.to();
        }
        if (last > MOST_ROWS) {
            throw new IllegalArgumentException("a range is exported up to M = " + MOST_ROWS + ", got " + last);
        }
    }

    /** Whether an M between two others has no kernel. */
    boolean hasGaps() {
        return members.stream()
                        .flatMap(member -> member.reaches().stream())
                        .mapToInt(reach -> reach.to() - reach.from() + 1)
                        .sum()
                <= most() - least();
    }

    int least() {
        return members.stream()
                .flatMap(member -> member.reaches().stream())
                .mapToInt(Reach::from)
                .min()
                .orElseThrow();
    }

    int most() {
        return members.stream()
                .flatMap(member -> member.reaches().stream())
                .mapToInt(Reach::to)
                .max()
                .orElseThrow();
    }

    /** The launch for M = {@code m}. */
    LaunchDescription launch(int m) {
        return members.stream()
                .filter(member -> member.reaches().stream().anyMatch(reach -> reach.from() <= m && m <= reach.to()))
                .findFirst()
                .orElseThrow()
                .launches()
                .apply(m);
    }

    /** Whether a kernel asks how the GPU deals clusters out. */
    boolean deals() {
        return members.stream()
                .anyMatch(member -> ProgramBuffers.passes(
                        member.launches().apply(member.reaches().getFirst().from()), ScalarRole.GPCS));
    }
}
