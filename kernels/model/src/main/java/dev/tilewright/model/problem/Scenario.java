package dev.tilewright.model.problem;

/**
 * What else the GPU is doing while the kernel runs.
 *
 * @param busySms how many SMs are held by somebody else for the whole run
 */
public record Scenario(int busySms) {

    /** The kernel has the GPU to itself. */
    public static final Scenario QUIET = new Scenario(0);

    public Scenario {
        if (busySms < 0) {
            throw new IllegalArgumentException("busySms must be at least 0, got " + busySms);
        }
    }
}
