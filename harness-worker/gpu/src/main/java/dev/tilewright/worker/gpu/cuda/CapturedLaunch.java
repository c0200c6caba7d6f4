package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.model.trial.Executed;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a launch of a library consists of, as the driver sees it.
 *
 * @param kernels names of its kernels in order, each with grid, block, shared bytes and cluster; two launches with the
 *     same kernels may still differ in parameters
 */
public record CapturedLaunch(String kernels) {

    private static final String THREE = "(\\d+x\\d+x\\d+)";

    private static final Pattern KERNEL =
            Pattern.compile(" grid " + THREE + " block " + THREE + " shared \\d+ cluster " + THREE);

    /**
     * How the largest of its kernels is launched: with several, such as one that adds up what another has split, it is
     * the one with the most threads.
     *
     * @throws IllegalStateException if it launches no kernel
     */
    public Executed executed() {
        Executed largest = null;
        Matcher matcher = KERNEL.matcher(kernels);
        while (matcher.find()) {
            // A launch without clusters has extents of 0.
            Executed each = new Executed(
                    product(matcher.group(1)), Math.max(1, product(matcher.group(3))), product(matcher.group(2)));
            if (largest == null || threads(each) > threads(largest)) {
                largest = each;
            }
        }
        if (largest == null) {
            throw new IllegalStateException("a launch without a kernel: " + kernels);
        }
        return largest;
    }

    private static long threads(Executed executed) {
        return (long) executed.gridX() * executed.threads();
    }

    private static int product(String extents) {
        return Arrays.stream(extents.split("x")).mapToInt(Integer::parseInt).reduce(1, Math::multiplyExact);
    }
}
