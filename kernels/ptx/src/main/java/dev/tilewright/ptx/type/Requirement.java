package dev.tilewright.ptx.type;

/**
 * The ISA version and the targets that an instruction needs.
 *
 * @param since the lowest PTX ISA version
 * @param capability the lowest compute capability, times ten
 * @param kind which targets of that capability and later have it
 */
public record Requirement(IsaVersion since, int capability, Kind kind) {
    /** The targets that have an instruction. */
    public enum Kind {
        /** The capability and all later ones. */
        FROM_HERE,
        /** The "a" targets of the capability and of all later ones. */
        ANY_SPECIFIC,
        /** The "a" target of exactly this capability. */
        THIS_SPECIFIC
    }

    /** Anything that every target we know has. */
    public static final Requirement BASE = new Requirement(new IsaVersion(7, 8), 50, Kind.FROM_HERE);
    /** Hopper: clusters, TMA, transaction barriers. */
    public static final Requirement HOPPER = new Requirement(IsaVersion.V8_0, 90, Kind.FROM_HERE);
    /** Any "a" target from sm_90a on: setmaxnreg. */
    public static final Requirement HOPPER_FAMILY = new Requirement(IsaVersion.V8_0, 90, Kind.ANY_SPECIFIC);
    /** sm_90a alone: wgmma. */
    public static final Requirement HOPPER_ONLY = new Requirement(IsaVersion.V8_0, 90, Kind.THIS_SPECIFIC);

    public static Requirement isa(int major, int minor) {
        return new Requirement(new IsaVersion(major, minor), 90, Kind.FROM_HERE);
    }

    public boolean allows(Target target) {
        return switch (kind) {
            case FROM_HERE -> target.capability() >= capability;
            case ANY_SPECIFIC -> target.capability() >= capability && target.architectureSpecific();
            case THIS_SPECIFIC -> target.capability() == capability && target.architectureSpecific();
        };
    }

    @Override
    public String toString() {
        String targets = switch (kind) {
            case FROM_HERE -> "sm_" + capability + " or later";
            case ANY_SPECIFIC -> "sm_" + capability + "a or a later a-target";
            case THIS_SPECIFIC -> "sm_" + capability + "a alone";
        };
        return targets + ", PTX ISA " + since;
    }
}
