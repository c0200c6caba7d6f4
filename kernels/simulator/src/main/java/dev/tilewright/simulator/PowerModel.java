package dev.tilewright.simulator;

/**
 * The clock at which launch after launch of one kernel settles.
 *
 * <pre>
 *   P(f) = static + (Ecore * (f / fRef)^gamma + Edram) / t(f),   t(f) = t0 * f0 / f
 * </pre>
 */
record PowerModel(GpuConstants.Power constants) {

    private static final int BISECTIONS = 30;

    /**
     * Energy of one launch.
     *
     * @param corePicojoule on the chip, at the reference clock
     * @param dramPicojoule in the memory, whatever the clock
     */
    record Energy(double corePicojoule, double dramPicojoule) {}

    Energy energy(double flops, double l2Bytes, double dramBytes) {
        return new Energy(
                flops * constants.tensorPicojoulePerFlop() + l2Bytes * constants.l2PicojoulePerByte(),
                dramBytes * constants.dramPicojoulePerByte());
    }

    /** Power in watt of launches that last {@code timeNs} at {@code clockMhz}. */
    double watt(Energy energy, double timeNs, double clockMhz) {
        double scale = StrictMath.pow(clockMhz / constants.referenceMhz(), constants.clockExponent());
        double milliwatt = (energy.corePicojoule() * scale + energy.dramPicojoule()) / timeNs;
        return constants.staticWatt() + milliwatt / 1e3;
    }

    /**
     * The highest clock within the power limit, if the launch lasts {@code timeNs} at {@code clockMhz} and scales with
     * the clock.
     */
    double sustainedMhz(Energy energy, double timeNs, double clockMhz) {
        double high = constants.boostMhz();
        if (watt(energy, timeNs * clockMhz / high, high) <= constants.limitWatt()) {
            return high;
        }
        double low = 0;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            if (watt(energy, timeNs * clockMhz / middle, middle) <= constants.limitWatt()) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
