package dev.tilewright.emulator.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Where lanes that part meet again: the first instruction behind a branch that all its paths reach, its immediate
 * post-dominator. Computed on basic blocks by sets.
 */
final class ControlFlow {
    private final int[] blockOf;
    private final List<int[]> blocks = new ArrayList<>();
    private final List<int[]> successors = new ArrayList<>();
    private final int[] joinOfBlock;
    private final boolean[] convergent;

    /**
     * Analyses a program.
     *
     * @param targets where each instruction branches to, or -1
     * @param conditional whether a branch or an exit may be passed by
     * @param exits whether an instruction ends threads
     * @param convergent whether an instruction needs the lanes of a warp together
     */
    ControlFlow(int[] targets, boolean[] conditional, boolean[] exits, boolean[] convergent) {
        int n = targets.length;
        this.convergent = convergent;
        blockOf = new int[n];
        BitSet leaders = new BitSet(n + 1);
        leaders.set(0);
        for (int i = 0; i < n; i++) {
            if (targets[i] >= 0) {
                leaders.set(targets[i]);
            }
            if (targets[i] >= 0 || exits[i]) {
                leaders.set(i + 1);
            }
        }
        for (int start = 0; start < n; ) {
            int next = leaders.nextSetBit(start + 1);
            int end = next < 0 || next > n ? n : next;
            Arrays.fill(blockOf, start, end, blocks.size());
            blocks.add(new int[] {start, end});
            start = end;
        }
        for (int[] block : blocks) {
            int last = block[1] - 1;
            List<Integer> next = new ArrayList<>();
            boolean passes = (targets[last] < 0 && !exits[last]) || conditional[last];
            if (passes && block[1] < n) {
                next.add(blockOf[block[1]]);
            }
            if (targets[last] >= 0 && targets[last] < n) {
                next.add(blockOf[targets[last]]);
            }
            successors.add(next.stream().mapToInt(Integer::intValue).distinct().toArray());
        }
        joinOfBlock = immediatePostDominators();
    }

    /** For each block the block where all its paths meet first, or -1. */
    private int[] immediatePostDominators() {
        int n = blocks.size();
        BitSet[] sets = new BitSet[n];
        for (int b = 0; b < n; b++) {
            sets[b] = new BitSet(n);
            sets[b].set(0, n);
        }
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int b = n - 1; b >= 0; b--) {
                BitSet meet = new BitSet(n);
                int[] next = successors.get(b);
                if (next.length > 0) {
                    meet.or(sets[next[0]]);
                    for (int s : next) {
                        meet.and(sets[s]);
                    }
                }
                meet.set(b);
                if (!meet.equals(sets[b])) {
                    sets[b] = meet;
                    changed = true;
                }
            }
        }
        int[] result = new int[n];
        for (int b = 0; b < n; b++) {
            result[b] = -1;
            int size = sets[b].cardinality();
            // The nearest of the strict post-dominators is the one that all the others post-dominate.
            for (int d = sets[b].nextSetBit(0); d >= 0; d = sets[b].nextSetBit(d + 1)) {
                if (d != b && sets[d].cardinality() == size - 1) {
                    result[b] = d;
                }
            }
        }
        return result;
    }

    /** Where lanes that part at a branch meet again, or -1. */
    int join(int pc) {
        int block = joinOfBlock[blockOf[pc]];
        return block < 0 ? -1 : blocks.get(block)[0];
    }

    /**
     * Where lanes that run apart from {@code pc} on must be together: the next instruction of the block that needs them
     * so, or the place where the block's paths meet, if none is on the way; otherwise -1.
     */
    int split(int pc) {
        if (convergent[pc]) {
            return -1;
        }
        int block = blockOf[pc];
        for (int i = pc; i < blocks.get(block)[1]; i++) {
            if (convergent[i]) {
                return i;
            }
        }
        int meet = joinOfBlock[block];
        if (meet < 0) {
            return -1;
        }
        BitSet seen = new BitSet();
        List<Integer> open = new ArrayList<>();
        for (int s : successors.get(block)) {
            open.add(s);
        }
        while (!open.isEmpty()) {
            int b = open.removeLast();
            if (b == meet || seen.get(b)) {
                continue;
            }
            seen.set(b);
            for (int i = blocks.get(b)[0]; i < blocks.get(b)[1]; i++) {
                if (convergent[i]) {
                    return -1;
                }
            }
            for (int s : successors.get(b)) {
                open.add(s);
            }
        }
        return blocks.get(meet)[0];
    }
}
