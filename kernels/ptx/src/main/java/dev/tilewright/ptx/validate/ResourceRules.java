package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.WarpRole;
import dev.tilewright.ptx.instruction.Barrier.SetMaxRegisters;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.validate.Diagnostic.Rule;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Shared memory, warps, registers. */
final class ResourceRules {
    private static final int WARP = 32;
    private static final int WARPS_PER_GROUP = 4;

    /**
     * Registers a wgmma kernel needs beside its accumulators: ptxas 13.0 asks for a target of 154 for the 128
     * accumulators of m64n256, and accepts or refuses m64n192 and m64n128 by the same margin.
     */
    private static final int BESIDE_ACCUMULATORS = 26;

    private ResourceRules() {}

    static void check(PtxModule module, Entry entry, Diagnostics findings) {
        long shared = entry.sharedBytes();
        if (shared > module.target().sharedBytesPerCta()) {
            findings.add(
                    Rule.SHARED_BYTES,
                    "shared memory must be at most " + module.target().sharedBytesPerCta() + " bytes, got " + shared);
        }
        roles(entry, findings);
        wgmma(module, entry, findings);
        setMaxRegisters(module, entry, findings);
    }

    private static void roles(Entry entry, Diagnostics findings) {
        List<WarpRole> roles = entry.roles();
        for (int i = 0; i < roles.size(); i++) {
            WarpRole role = roles.get(i);
            if ((role.lastWarp() + 1) * WARP > entry.launch().maxThreads()) {
                findings.add(
                        Rule.ROLE,
                        "role " + role.name() + " needs warp " + role.lastWarp() + ", the CTA has "
                                + entry.launch().maxThreads() + " threads");
            }
            for (WarpRole other : roles.subList(0, i)) {
                boolean siblings = other.parent().equals(role.parent());
                boolean overlap = role.firstWarp() <= other.lastWarp() && other.firstWarp() <= role.lastWarp();
                if (siblings && overlap) {
                    findings.add(
                            Rule.ROLE,
                            "roles " + other.name() + " (" + warps(other) + ") and " + role.name() + " (" + warps(role)
                                    + ") overlap");
                }
            }
            parent(entry, role).ifPresent(outer -> {
                if (role.firstWarp() < outer.firstWarp() || role.lastWarp() > outer.lastWarp()) {
                    findings.add(
                            Rule.ROLE,
                            "role " + role.name() + " (" + warps(role) + ") lies outside its role " + outer.name()
                                    + " (" + warps(outer) + ")");
                }
            });
        }
    }

    private static void wgmma(PtxModule module, Entry entry, Diagnostics findings) {
        int cap = entry.launch().registerCap(module.target().registersPerSm());
        for (int i = 0; i < entry.body().size(); i++) {
            Optional<Instruction> instruction =
                    Diagnostics.instruction(entry.body().get(i));
            if (instruction.isPresent() && instruction.get() instanceof Wgmma.MmaAsync product) {
                int n = product.n();
                int needed = product.d().size() + BESIDE_ACCUMULATORS;
                if (needed > cap) {
                    findings.add(
                            Rule.WGMMA,
                            i,
                            "wgmma m64n" + n + " needs about " + needed + " registers, at entry a thread has " + cap
                                    + " (65536 / " + entry.launch().maxThreads() + " threads)");
                }
                requireWarpgroups(entry, i, Rule.WGMMA, "wgmma", findings);
            }
        }
    }

    private static void setMaxRegisters(PtxModule module, Entry entry, Diagnostics findings) {
        int cap = entry.launch().registerCap(module.target().registersPerSm());
        int[] perWarp = new int[Math.ceilDiv(entry.launch().maxThreads(), WARP)];
        Arrays.fill(perWarp, cap);
        boolean used = false;
        boolean known = true;
        for (int i = 0; i < entry.body().size(); i++) {
            Optional<Instruction> instruction =
                    Diagnostics.instruction(entry.body().get(i));
            if (instruction.isPresent() && instruction.get() instanceof SetMaxRegisters set) {
                Optional<WarpRole> role = roleAt(entry, i);
                role.ifPresent(r -> Arrays.fill(
                        perWarp,
                        Math.min(perWarp.length, r.firstWarp()),
                        Math.min(perWarp.length, r.lastWarp() + 1),
                        set.count()));
                used = true;
                known &= role.isPresent();
                requireWarpgroups(entry, i, Rule.SET_MAX_REGISTERS, "setmaxnreg", findings);
            }
        }
        if (used && !entry.launch().boundsRegisters()) {
            findings.add(
                    Rule.SET_MAX_REGISTERS,
                    "setmaxnreg is ignored without .minnctapersm or .maxnreg beside .maxntid (ptxas C7508)");
        }
        // Outside of roles nobody can say which warps execute it.
        long sum = (long) Arrays.stream(perWarp).sum()
                * WARP
                * Math.max(1, entry.launch().minCtasPerSm());
        if (used && known && sum > module.target().registersPerSm()) {
            findings.add(
                    Rule.SET_MAX_REGISTERS,
                    "the warps' registers must sum to at most "
                            + module.target().registersPerSm() + ", got " + sum);
        }
    }

    private static void requireWarpgroups(Entry entry, int statement, Rule rule, String what, Diagnostics findings) {
        roleAt(entry, statement).ifPresent(role -> {
            if (role.firstWarp() % WARPS_PER_GROUP != 0 || role.warps() % WARPS_PER_GROUP != 0) {
                findings.add(
                        rule,
                        statement,
                        what + " is for whole warpgroups, role " + role.name() + " has " + warps(role));
            }
        });
    }

    /** The innermost role around a statement. */
    private static Optional<WarpRole> roleAt(Entry entry, int statement) {
        return entry.roles().stream()
                .filter(role -> statement >= role.firstStatement() && statement < role.endStatement())
                .max(Comparator.comparingInt(WarpRole::firstStatement));
    }

    private static Optional<WarpRole> parent(Entry entry, WarpRole role) {
        return entry.roles().stream()
                .filter(other -> role.parent().filter(other.name()::equals).isPresent()
                        && other.firstStatement() <= role.firstStatement()
                        && other.endStatement() >= role.endStatement())
                .findFirst();
    }

    private static String warps(WarpRole role) {
        return "warps " + role.firstWarp() + ".." + role.lastWarp();
    }
}
