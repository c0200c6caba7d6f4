package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.StateSpace;
import java.util.Optional;

/** L2 policies for copies and accesses, and what a line in L2 is worth. sm_80. PTX 9.7.9.16 to 9.7.9.18. */
public sealed interface CachePolicy extends Instruction {

    /**
     * {@code createpolicy.fractional}: {@code primary} for this fraction (0 &lt; f &lt;= 1; 1 if absent) of the lines,
     * {@code secondary} for the others.
     */
    record Fractional(
            Reg<?> d, EvictionPriority primary, Optional<EvictionPriority> secondary, Optional<Operand<F32>> fraction)
            implements CachePolicy {
        public Fractional {
            requireSecondary(secondary);
            if (fraction.isPresent() && fraction.get() instanceof Immediate<?> constant) {
                float f = Float.intBitsToFloat((int) constant.bits());
                Check.that(f > 0 && f <= 1, "createpolicy: fraction must be above 0 and up to 1", f);
            }
        }
    }

    /**
     * {@code createpolicy.range}: {@code primary} for the bytes from {@code address} on, {@code secondary} for those
     * around them.
     */
    record Range(
            Reg<?> d,
            EvictionPriority primary,
            Optional<EvictionPriority> secondary,
            Address address,
            Operand<B32> primaryBytes,
            Operand<B32> totalBytes)
            implements CachePolicy {
        public Range {
            requireSecondary(secondary);
            requireGlobal("createpolicy.range", address);
        }
    }

    /** {@code createpolicy.cvt}: from an access property of the CUDA library. */
    record FromProperty(Reg<?> d, Operand<?> property) implements CachePolicy {}

    /** {@code applypriority.L2::evict_normal}: the 128 bytes are no longer kept longer than others. */
    record ResetPriority(Address address) implements CachePolicy {
        public ResetPriority {
            requireGlobal("applypriority", address);
        }
    }

    /** {@code discard.L2}: the 128 bytes need not be written back; reading them before writing gives anything. */
    record Discard(Address address) implements CachePolicy {
        public Discard {
            requireGlobal("discard", address);
        }
    }

    private static void requireSecondary(Optional<EvictionPriority> secondary) {
        secondary.ifPresent(s -> Check.that(
                s == EvictionPriority.EVICT_FIRST || s == EvictionPriority.EVICT_UNCHANGED,
                "createpolicy: the second priority must be evict_first or evict_unchanged",
                s));
    }

    private static void requireGlobal(String mnemonic, Address address) {
        Check.that(
                address.space() == StateSpace.GENERIC || address.space() == StateSpace.GLOBAL,
                mnemonic + ": the address must be generic or global",
                address.space());
    }
}
