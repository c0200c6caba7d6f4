package dev.tilewright.emulator.program;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds the instruction at which diverged lanes meet again: the first instruction behind a branch that all its paths
 * reach, its immediate post-dominator. Paths that end the thread do not count if the other paths have a post-dominator.
 * Computed on basic blocks, by sets.
 */
final class ControlFlow {
    private final int[] blockOf;
    private final List<int[]> blocks = new ArrayList<>();
    private final List<int[]> successors = new ArrayList<>();
    private final List<int[]> predecessors;
    private final BitSet ends;
    private final int[] joinOfBlock;
    private final boolean[] convergent;

    /**
     * Analyses a program.
     *
     * @param targets where each instruction may branch to
     * @param conditional whether a branch or an exit may be passed by
     * @param exits whether an instruction ends threads
     * @param convergent whether an instruction needs the lanes of a warp together
     */
    ControlFlow(int[][] targets, boolean[] conditional, boolean[] exits, boolean[] convergent) {
        int n = targets.length;
        this.convergent = convergent;
        blockOf = new int[n];
        BitSet leaders = new BitSet(n + 1);
        leaders.set(0);
        for (int i = 0; i < n; i++) {
            for (int target : targets[i]) {
                leaders.set(target);
            }
            if (targets[i].length > 0 || exits[i]) {
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
            boolean passes = (targets[last].length == 0 && !exits[last]) || conditional[last];
            if (passes && block[1] < n) {
                next.add(blockOf[block[1]]);
            }
            for (int target : targets[last]) {
                next.add(blockOf[target]);
            }
            successors.add(next.stream().mapToInt(Integer::intValue).distinct().toArray());
        }
        predecessors = predecessors();
        ends = ends(exits);
        joinOfBlock = joins();
    }

    private List<int[]> predecessors() {
        List<List<Integer>> lists = new ArrayList<>();
        successors.forEach(_ -> lists.add(new ArrayList<>()));
        for (int b = 0; b < successors.size(); b++) {
            for (int next : successors.get(b)) {
                lists.get(next).add(b);
            }
        }
        return lists.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    /**
     * Blocks at which a thread's way ends, so that every block leads to one. An exit that may be passed by counts only
     * where there is no other end: in a loop that nothing else leaves. A loop without any ends where it begins.
     */
    private BitSet ends(boolean[] exits) {
        int n = blocks.size();
        BitSet found = new BitSet(n);
        for (int b = 0; b < n; b++) {
            found.set(b, successors.get(b).length == 0);
        }
        BitSet leading = leadingTo(found);
        for (int b = 0; b < n; b++) {
            found.set(b, found.get(b) || (exits[blocks.get(b)[1] - 1] && !leading.get(b)));
        }
        leading = leadingTo(found);
        while (leading.cardinality() < n) {
            found.set(endlessLoop(leading.nextClearBit(0)));
            leading = leadingTo(found);
        }
        return found;
    }

    private BitSet leadingTo(BitSet some) {
        BitSet leading = (BitSet) some.clone();
        some.stream().forEach(b -> leading.or(reached(b, predecessors::get)));
        return leading;
    }

    /** The first block of a loop without an end to which a block leads. */
    private int endlessLoop(int block) {
        int at = block;
        while (true) {
            BitSet ahead = reached(at, successors::get);
            BitSet beyond = (BitSet) ahead.clone();
            beyond.andNot(reached(at, predecessors::get));
            if (beyond.isEmpty()) {
                return ahead.nextSetBit(0);
            }
            at = beyond.nextSetBit(0);
        }
    }

    /** The instructions of the blocks on cycles through an instruction; none if it is on no cycle. */
    BitSet cycle(int instruction) {
        int block = blockOf[instruction];
        BitSet around = reached(block, successors::get);
        around.and(reached(block, predecessors::get));
        BitSet instructions = new BitSet();
        around.stream().forEach(b -> instructions.set(blocks.get(b)[0], blocks.get(b)[1]));
        return instructions;
    }

    /** Whether some way leads from an instruction back to itself through such instructions alone. */
    boolean returns(int instruction, IntPredicate such) {
        int own = blockOf[instruction];
        return isAll(own, such)
                && reached(
                                own,
                                block -> IntStream.of(successors.get(block))
                                        .filter(next -> isAll(next, such))
                                        .toArray())
                        .get(own);
    }

    private boolean isAll(int block, IntPredicate such) {
        return IntStream.range(blocks.get(block)[0], blocks.get(block)[1]).allMatch(such);
    }

    /** The blocks that one or more steps lead to. */
    private static BitSet reached(int from, IntFunction<int[]> steps) {
        BitSet reached = new BitSet();
        Deque<Integer> open = new ArrayDeque<>(List.of(from));
        while (!open.isEmpty()) {
            for (int next : steps.apply(open.pop())) {
                if (!reached.get(next)) {
                    reached.set(next);
                    open.push(next);
                }
            }
        }
        return reached;
    }

    /** For each block the block where its paths meet first, or -1. */
    private int[] joins() {
        BitSet[] all = postDominators();
        int[] result = new int[blocks.size()];
        for (int b = 0; b < result.length; b++) {
            BitSet strict = (BitSet) all[b].clone();
            strict.clear(b);
            result[b] = nearest(strict, all);
            if (result[b] < 0 && successors.get(b).length > 1) {
                result[b] = first(sharedByPaths(b), b);
            }
        }
        return result;
    }

    /** For each block the blocks that all paths from it to an end go through, itself among them. */
    private BitSet[] postDominators() {
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
                if (!ends.get(b)) {
                    int[] next = successors.get(b);
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
        return sets;
    }

    /** The candidate behind which all of the others come, or -1. */
    private static int nearest(BitSet candidates, BitSet[] postDominators) {
        int best = -1;
        int most = -1;
        for (int d = candidates.nextSetBit(0); d >= 0; d = candidates.nextSetBit(d + 1)) {
            int behind = postDominators[d].cardinality();
            if (behind > most) {
                most = behind;
                best = d;
            }
        }
        return best;
    }

    /** The candidate to which paths from a block come first; where they differ, the first one in the text. */
    private int first(BitSet candidates, int block) {
        BitSet met = reached(block, b -> candidates.get(b) ? new int[0] : successors.get(b));
        met.and(candidates);
        return met.cardinality() == 1 ? met.nextSetBit(0) : candidates.nextSetBit(0);
    }

    /** The blocks that two or more ways out of a block lead to. */
    private BitSet sharedByPaths(int block) {
        BitSet once = new BitSet();
        BitSet twice = new BitSet();
        for (int s : successors.get(block)) {
            if (s == block) {
                continue;
            }
            BitSet reached = reached(s, b -> b == block ? new int[0] : successors.get(b));
            reached.set(s);
            reached.clear(block);
            BitSet again = (BitSet) once.clone();
            again.and(reached);
            twice.or(again);
            once.or(reached);
        }
        return twice;
    }

    /** The instruction at which lanes that diverge at a branch meet again, or -1. */
    int join(int pc) {
        int block = joinOfBlock[blockOf[pc]];
        return block < 0 ? -1 : blocks.get(block)[0];
    }

    /**
     * The instruction at which lanes that run apart from {@code pc} on must be together: the next instruction of the
     * block that needs them together, or if there is none the instruction at which the paths of the block meet; -1 if
     * they do not meet.
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
