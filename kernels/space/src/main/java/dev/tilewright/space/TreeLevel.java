package dev.tilewright.space;

/**
 * One level of a tree: a parameter, and for each node and each of its values the node of the next level.
 *
 * @param parameter whose values the edges are
 * @param children the node below, for each node and value in this order; {@link #NONE} where a rule is broken
 * @param sizes configs below each node
 */
record TreeLevel(Parameter parameter, int[] children, long[] sizes) {

    /** No node below. */
    static final int NONE = -1;

    int values() {
        return parameter.values().size();
    }

    int nodes() {
        return sizes.length;
    }

    /** The node below, or {@link #NONE}. */
    int child(int node, int value) {
        return children[node * values() + value];
    }

    /** Adds up what lies below the nodes of a level. */
    static TreeLevel of(Parameter parameter, int[] children, long[] below) {
        int values = parameter.values().size();
        long[] sizes = new long[children.length / values];
        for (int edge = 0; edge < children.length; edge++) {
            if (children[edge] != NONE && below[children[edge]] == 0) {
                children[edge] = NONE;
            }
            if (children[edge] != NONE) {
                sizes[edge / values] = Math.addExact(sizes[edge / values], below[children[edge]]);
            }
        }
        return new TreeLevel(parameter, children, sizes);
    }
}
