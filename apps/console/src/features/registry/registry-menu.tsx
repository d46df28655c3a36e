import type { Registry } from '@cannery/contract';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { Menu, MenuItem } from '../../components/ui/menu.tsx';
import { shown } from '../../lib/text/formats.ts';

interface RegistryMenuProps {
  readonly registry: Registry;
  readonly onEdit: (registry: Registry) => void;
  readonly onDelete: (registry: Registry) => void;
}

/** What can be done with a registry. */
export function RegistryMenu({ registry, onEdit, onDelete }: RegistryMenuProps) {
  return (
    <Menu
      trigger={
        <IconButton label={`Actions of ${shown(registry.name)}`} size="small">
          <Ellipsis className="size-4" />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil />} onSelect={() => onEdit(registry)}>
        Edit
      </MenuItem>
      <MenuItem icon={<Trash2 />} onSelect={() => onDelete(registry)}>
        Delete
      </MenuItem>
    </Menu>
  );
}
