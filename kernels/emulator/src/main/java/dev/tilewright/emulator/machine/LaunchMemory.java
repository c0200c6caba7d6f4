package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.program.ParameterLayout;
import dev.tilewright.emulator.program.VariableLayout;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.UnfitLaunchException;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;

/** The memory that all CTAs of a launch reach: buffers, variables of the module, parameters, and tensor maps there. */
public final class LaunchMemory {
    private final VariableLayout variables;
    private final Launch launch;
    private final GlobalMemory global;
    private final GlobalMemory constants;
    private final Parameters parameters;
    private final TensorMaps tensorMaps;

    /**
     * The memory as the launch finds it.
     *
     * @throws UnfitLaunchException if arguments or buffers do not fit
     */
    LaunchMemory(VariableLayout variables, ParameterLayout layout, Launch launch, Order order) {
        this.variables = variables;
        this.launch = launch;
        global = new GlobalMemory(
                launch.buffers().stream()
                        .filter(buffer -> !variables.has(buffer.name()))
                        .toList(),
                order);
        load(StateSpace.GLOBAL, global);
        // Nobody writes constants, so nobody must come behind: an order in which nobody acts.
        constants = new GlobalMemory(List.of(), new Order());
        load(StateSpace.CONST, constants);
        parameters = new Parameters(layout, launch, global);
        tensorMaps = new TensorMaps(parameters, global, constants);
        launch.buffers().forEach(this::fill);
    }

    /** Adds the variables of a space to its memory. A buffer with the name of a variable replaces its initial value. */
    private void load(StateSpace space, GlobalMemory memory) {
        for (VariableLayout.Symbol symbol : variables.in(space)) {
            Variable variable = symbol.variable();
            byte[] image = variables.image(variable);
            launch.buffers().stream()
                    .filter(buffer -> buffer.name().equals(variable.name()))
                    .findFirst()
                    .ifPresent(buffer -> {
                        if (buffer.content().length != image.length) {
                            throw new UnfitLaunchException("variable " + variable.name() + " has " + image.length
                                    + " bytes, the buffer of its name " + buffer.content().length);
                        }
                        System.arraycopy(buffer.content(), 0, image, 0, image.length);
                    });
            memory.add(variable.name(), symbol.address(), image);
        }
    }

    /** Puts addresses and tensor maps, which only the launch knows, into a buffer. */
    private void fill(Buffer buffer) {
        if (buffer.patches().isEmpty()) {
            return;
        }
        boolean constant = variables.has(buffer.name())
                && variables.named(buffer.name()).variable().space() == StateSpace.CONST;
        GlobalMemory.GlobalBuffer target = (constant ? constants : global).named(buffer.name());
        for (Argument.Patch patch : buffer.patches()) {
            byte[] bytes = Parameters.image(patch.argument(), global);
            System.arraycopy(bytes, 0, target.data(), patch.offset(), bytes.length);
        }
    }

    public GlobalMemory global() {
        return global;
    }

    public GlobalMemory constants() {
        return constants;
    }

    public Parameters parameters() {
        return parameters;
    }

    /** The tensor maps that copies use. */
    public TensorMaps tensorMaps() {
        return tensorMaps;
    }
}
