// The currency beside an amount.
import { currencies } from '@rapport/contract/money.values'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { currencyLabel } from '../ui/currencies.ts'
import { Options } from '../ui/options.tsx'
import { Popover } from '../ui/popover.tsx'
import { words } from '../words/index.ts'
import css from './editor.module.css'

interface Props {
  currency: string
  onCurrency: (currency: string) => void
  onOpen?: (isOpen: boolean) => void
}

export function CurrencyPicker({ currency, onCurrency, onOpen }: Props) {
  const [isOpen, setOpen] = useState(false)
  const set = (next: boolean) => {
    setOpen(next)
    onOpen?.(next)
  }
  return (
    <Popover
      label={words.money.currency}
      align="end"
      open={isOpen}
      onOpenChange={set}
      trigger={
        <button
          type="button"
          className={css.currency}
          aria-label={words.money.currencyIs(currency)}
          title={currency && currencyLabel(currency)}
        >
          {currency || words.money.currency}
          <ChevronDown size={12} />
        </button>
      }
    >
      <Options
        label={words.fields.find(words.money.currency)}
        options={currencies.map((code) => ({ id: code, label: currencyLabel(code) }))}
        chosen={new Set([currency])}
        onPick={(code) => {
          onCurrency(code)
          set(false)
        }}
      />
    </Popover>
  )
}
