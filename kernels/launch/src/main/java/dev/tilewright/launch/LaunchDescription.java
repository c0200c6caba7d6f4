package dev.tilewright.launch;

import java.util.List;
import java.util.Optional;

/**
 * One launch.
 *
 * @param entry name of the kernel; empty for the only one of its module
 * @param grid CTAs
 * @param block threads of a CTA
 * @param cluster CTAs of a cluster; empty for what the kernel requires, or one
 * @param dynamicShared bytes of dynamic shared memory
 * @param launchOverlap whether it may start before the grid ahead of it in its stream has ended
 * @param buffers in global memory
 * @param parameters in the order of the kernel's
 * @param expected what must hold afterwards
 */
public record LaunchDescription(
        Optional<String> entry,
        Extents grid,
        Extents block,
        Optional<Extents> cluster,
        int dynamicShared,
        boolean launchOverlap,
        List<BufferDescription> buffers,
        List<KernelParameter> parameters,
        List<Expectation> expected) {
    public LaunchDescription {
        buffers = List.copyOf(buffers);
        parameters = List.copyOf(parameters);
        expected = List.copyOf(expected);
    }

    /** The launch of this kernel. */
    public LaunchDescription of(String name) {
        return new LaunchDescription(
                Optional.of(name), grid, block, cluster, dynamicShared, launchOverlap, buffers, parameters, expected);
    }

    /** The buffer of that name, which there is: the reader has looked. */
    public BufferDescription buffer(String name) {
        return buffers.stream()
                .filter(buffer -> buffer.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no buffer named '" + name + "'; there are "
                        + buffers.stream().map(BufferDescription::name).toList()));
    }
}
