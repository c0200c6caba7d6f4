package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.program.ParameterPlacement;
import dev.tilewright.emulator.program.VariablePlacement;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.UnfitLaunchException;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;

/** The memory that all CTAs of a launch reach: buffers, variables of the module, parameters, and tensor maps there. */
public final class LaunchMemory {
    private final VariablePlacement variables;
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
    LaunchMemory(VariablePlacement variables, ParameterPlacement placement, Launch launch, Order order) {
        this.variables = variables;
        this.launch = launch;
        global = new GlobalMemory(
                launch.buffers().stream()
                        .filter(buffer -> !variables.has(buffer.name()))
                        .toList(),
                order);
        place(StateSpace.GLOBAL, global);
        // Nobody writes constants, so nobody must come behind: an order in which nobody acts.
        constants = new GlobalMemory(List.of(), new Order());
        place(StateSpace.CONST, constants);
        parameters = new Parameters(placement, launch, global);
        tensorMaps = new TensorMaps(parameters, global, constants);
        launch.buffers().forEach(this::fill);
    }

    /**
     * Puts the module's variables of a space in their place; a buffer of the name of one is what the host wrote to it.
     */
    private void place(StateSpace space, GlobalMemory memory) {
        for (VariablePlacement.Placed placed : variables.in(space)) {
            Variable variable = placed.variable();
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
            memory.place(variable.name(), placed.address(), image);
        }
    }

    /** Puts addresses and tensor maps, which only the launch knows, into a buffer. */
    private void fill(Buffer buffer) {
        if (buffer.patches().isEmpty()) {
            return;
        }
        boolean constant = variables.has(buffer.name())
                && variables.named(buffer.name()).variable().space() == StateSpace.CONST;
        GlobalMemory.Placed placed = (constant ? constants : global).named(buffer.name());
        for (Argument.Patch patch : buffer.patches()) {
            byte[] bytes = Parameters.image(patch.argument(), global);
            System.arraycopy(bytes, 0, placed.data(), patch.offset(), bytes.length);
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
